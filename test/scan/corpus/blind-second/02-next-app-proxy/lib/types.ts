export interface PassportSocial {
  source: string
  profile_name: string | null
  profile_url: string | null
  follower_count: string | null
}

export interface Passport {
  passport_id: number
  score: number
  human_checkmark: boolean
  last_calculated_at: string | null
  verified_wallets: string[]
  passport_profile?: {
    bio?: string
    display_name?: string
    location?: string
    tags?: string[]
  }
  passport_socials?: PassportSocial[]
}

export interface Credential {
  id: string
  name: string
  type: string
  category: string
  score: number
  max_score: number
  value: string | null
}
