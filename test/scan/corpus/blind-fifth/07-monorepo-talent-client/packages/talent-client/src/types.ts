export type Passport = {
  passport_id: number
  score: number
  activity_score: number
  human_checkmark: boolean
  main_wallet: string | null
  verified_wallets: string[]
  last_calculated_at: string | null
  passport_profile?: {
    display_name: string | null
    location: string | null
    tags: string[]
  }
}

export type Credential = {
  id: string
  name: string
  type: string
  category: string
  score: number
  earned_at: string | null
}

export type Page = {
  passports: Passport[]
  pagination: { current_page: number; last_page: number; total: number }
}

export function isPassport(x: any): x is Passport {
  return typeof x?.passport_id === 'number' && typeof x.score === 'number' && Array.isArray(x.verified_wallets)
}
