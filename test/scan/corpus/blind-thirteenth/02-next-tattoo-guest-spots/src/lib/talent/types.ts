export type PassportProfile = {
  display_name: string | null
  bio: string | null
  location: string | null
  tags: string[]
}

export type PassportSocial = {
  source: string
  profile_name: string | null
  profile_url: string | null
  profile_image_url: string | null
  follower_count: string | null
}

export type Passport = {
  passport_id: number
  score: number
  identity_score: number
  human_checkmark: boolean
  main_wallet: string | null
  verified_wallets: string[]
  passport_profile: PassportProfile | null
  passport_socials?: PassportSocial[]
}

export type ApiResult<T> = { ok: true; data: T } | { ok: false; status: number }
