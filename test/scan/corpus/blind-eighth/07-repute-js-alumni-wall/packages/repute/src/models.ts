export interface Profile {
  bio: string | null
  display_name: string | null
  location: string | null
  tags: string[]
}

export interface Social {
  source: 'github' | 'lens' | 'farcaster' | 'linkedin' | (string & {})
  profile_name: string | null
  profile_url: string | null
  profile_image_url: string | null
  follower_count: string | null
  following_count: string | null
}

export interface PassportSummary {
  passport_id: number
  score: number
  activity_score: number
  identity_score: number
  skills_score: number
  calculating_score: boolean
  human_checkmark: boolean
  last_calculated_at: string | null
  main_wallet: string | null
  verified_wallets: string[]
  passport_profile: Profile | null
}

export interface Passport extends PassportSummary {
  merged: boolean
  passport_socials: Social[]
}

export interface Credential {
  id: string
  category: string
  earned_at: string | null
  max_score: number
  score: number
  name: string
  type: string
  value: string | null
}

export interface Page<T> {
  items: T[]
  page: number
  pages: number
  count: number
}
