export interface PassportSocial {
  source: string
  profile_name: string | null
  profile_url: string | null
  follower_count: string | null
}

export interface Passport {
  passport_id: number
  score: number
  main_wallet: string
  verified_wallets: string[]
  passport_profile: {
    display_name: string
    bio: string
    location: string
    tags: string[]
  } | null
  passport_socials: PassportSocial[]
}

export interface Credential {
  id: string
  name: string
  category: string
  score: number
  max_score: number
  value: string | null
}
