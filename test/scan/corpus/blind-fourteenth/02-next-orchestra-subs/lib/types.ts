export type PassportProfile = {
  bio?: string
  display_name: string
  location?: string
  tags: string[]
  image_url?: string
}

export type Passport = {
  passport_id: number
  score: number
  skills_score: number
  activity_score: number
  identity_score: number
  last_calculated_at: string | null
  main_wallet: string
  passport_profile: PassportProfile
  passport_socials?: PassportSocial[]
}

export type PassportSocial = {
  source: string
  profile_name: string
  profile_url: string
}

export type Credential = {
  id: string
  name: string
  category: string
  score: number
  max_score: number
  value: string | null
}

export type Page<T> = {
  passports: T[]
  pagination: { current_page: number; last_page: number; total: number }
}
