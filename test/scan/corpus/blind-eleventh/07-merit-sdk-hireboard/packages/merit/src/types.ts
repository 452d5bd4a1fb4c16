export interface Passport {
  activity_score: number
  identity_score: number
  skills_score: number
  score: number
  calculating_score: boolean
  connections_count: number
  human_checkmark: boolean
  last_calculated_at: string | null
  main_wallet: string | null
  passport_id: number
  passport_profile: {
    bio: string | null
    display_name: string | null
    location: string | null
    tags: string[]
  }
  verified_wallets: string[]
}

export interface PassportWithSocials extends Passport {
  merged: boolean
  passport_socials: Array<{
    source: 'lens' | 'farcaster' | 'github' | 'linkedin' | (string & {})
    profile_name: string | null
    profile_url: string | null
    follower_count: string | null
  }>
}

export interface Paginated {
  pagination: { current_page: number; last_page: number; total: number }
}

export interface Credential {
  id: string
  type: string
  name: string
  category: string
  score: number
  max_score: number
  value: string | null
  earned_at: string | null
  last_calculated_at: string | null
}
