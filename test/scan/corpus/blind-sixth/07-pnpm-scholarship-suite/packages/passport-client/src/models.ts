/** As the API sends them. */
export interface ApiPassport {
  passport_id: number
  score: number | null
  skills_score: number
  human_checkmark: boolean
  main_wallet: string | null
  last_calculated_at: string | null
  passport_profile: {
    display_name: string | null
    location: string | null
    tags?: string[]
  }
  passport_socials?: Array<{ source: string; profile_url: string | null; profile_bio: string | null }>
}

export interface ApiCredential {
  id: string
  type: string
  name: string
  category: 'Activity' | 'Identity' | 'Skills' | (string & {})
  score: number
  value: string | null
  earned_at: string | null
}

/** What our apps use. */
export interface Student {
  id: number
  name: string
  wallet: string | null
  score: number
  skills: number
  city: string | null
  tags: string[]
  verified: boolean
}

export interface Page<T> {
  items: T[]
  page: number
  pages: number
  count: number
}
