export interface PassportRecord {
  passport_id: number
  score: number | null
  activity_score: number
  identity_score: number
  skills_score: number
  human_checkmark: boolean
  last_calculated_at: string | null
  verified_wallets: string[]
  passport_profile: ProfileRecord | null
  passport_socials?: SocialRecord[]
}

export interface ProfileRecord {
  bio: string | null
  display_name: string | null
  location: string | null
  tags: string[]
}

export interface SocialRecord {
  source: string
  profile_name: string | null
  profile_url: string | null
  follower_count: string | null
}

export interface CredentialRecord {
  id: string
  name: string
  type: string
  category: string
  score: number
  max_score: number
  earned_at: string | null
  value: string | null
}
