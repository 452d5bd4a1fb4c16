export interface PassportProfile {
  bio: string | null
  display_name: string | null
  location: string | null
  tags: string[]
}

export interface PassportSocial {
  source: string
  follower_count: string | null
  following_count: string | null
  profile_name: string | null
  profile_image_url: string | null
}

export interface Passport {
  passport_id: number
  score: number
  activity_score: number
  identity_score: number
  skills_score: number
  connections_count?: number
  main_wallet: string
  passport_profile: PassportProfile
  verified_wallets: string[]
  merged?: boolean
  passport_socials?: PassportSocial[]
}

export interface Pagination {
  current_page: number
  last_page: number
  total: number
}

export interface PassportPage {
  passports: Passport[]
  pagination: Pagination
}

export interface ClientOptions {
  apiKey?: string
  baseUrl?: string
  fetch?: typeof fetch
  retries?: number
}
