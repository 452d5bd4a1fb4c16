export interface Passport {
  passport_id: number
  score: number
  calculating_score: boolean
  human_checkmark: boolean
  main_wallet: string | null
  verified_wallets: string[]
}

export interface PassportResponse {
  passport: Passport
}
