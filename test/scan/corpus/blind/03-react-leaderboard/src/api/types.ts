export interface Passport {
  passport_id: number
  score: number
  main_wallet: string
  connections_count: number
  calculating_score: boolean
  passport_profile: Profile | null
}

export interface Profile {
  display_name: string
  location: string
  tags: string[]
}

export interface PassportPage {
  passports: Passport[]
  pagination: { current_page: number; last_page: number; total: number }
}

export interface Quest {
  id: string
  title: string
  score: number
}
