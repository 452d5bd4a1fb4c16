export type Passport = {
  passport_id: number
  score: number | null
  skills_score: number
  main_wallet: string
  verified_wallets: string[]
  calculating_score: boolean
  merged?: boolean
}

export type Credential = {
  id: string
  category: string
  type: string
  score: number
  value: string | null
  last_calculated_at: string
}

export type ListResponse = {
  passports: Passport[]
  pagination: { current_page: number; last_page: number; total: number }
}
