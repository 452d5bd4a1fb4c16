export type Profile = {
  display_name: string | null
  bio: string | null
  location: string | null
  tags: string[]
}

export type Social = {
  source: string
  profile_name: string | null
  profile_url: string | null
  profile_image_url: string | null
  follower_count: string | null
}

export type Passport = {
  passport_id: number
  main_wallet: string | null
  score: number
  skills_score: number
  human_checkmark: boolean
  last_calculated_at: string | null
  verified_wallets: string[]
  passport_profile: Profile
}

export type FullPassport = Passport & { merged: boolean; passport_socials: Social[] }

export type Credential = {
  id: string
  name: string
  category: string
  score: number
  max_score: number
  value: string | null
  earned_at: string | null
}

export type PassportsResponse = {
  passports: Passport[]
  pagination: { current_page: number; last_page: number; total: number }
}
export type PassportResponse = { passport: FullPassport }
export type CredentialsResponse = { passport_credentials: Credential[] }

/** Posts of our own forum. */
export type ForumPost = { id: number; title: string; score: number; tags: string[]; category: string }
