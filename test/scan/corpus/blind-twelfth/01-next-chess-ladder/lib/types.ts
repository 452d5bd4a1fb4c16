export interface TalentPassport {
  passport_id: number
  score: number
  activity_score: number
  identity_score: number
  skills_score: number
  human_checkmark: boolean
  main_wallet: string
  verified_wallets: string[]
  passport_profile: {
    display_name: string
    bio: string
    location: string
    image_url: string
    tags: string[]
  }
}

export interface TalentCredential {
  id: string
  name: string
  type: string
  category: string
  score: number
  max_score: number
  value: string | null
}

export interface LichessUser {
  id: string
  username: string
  perfs: { blitz?: { rating: number; games: number }; rapid?: { rating: number; games: number } }
  profile?: { bio?: string; location?: string }
  count: { win: number; all: number }
}

export interface LadderRow {
  id: number
  name: string
  score: number
  wallet: string
}
