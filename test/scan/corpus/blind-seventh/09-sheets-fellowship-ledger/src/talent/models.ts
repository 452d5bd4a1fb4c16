/** The parts of the answers that the ledger needs. */
export namespace Wire {
  export type Profile = {
    display_name?: string | null
    location?: string | null
    tags?: string[]
  }

  export type Passport = {
    passport_id: number
    score: number | null
    activity_score: number
    skills_score: number
    human_checkmark: boolean
    last_calculated_at: string | null
    main_wallet: string | null
    verified_wallets: string[]
    passport_profile: Profile | null
    passport_socials?: Array<{ source: string; profile_url: string | null }>
  }

  export type Credential = {
    id: string
    type: string
    name: string
    score: number
    earned_at: string | null
    last_calculated_at: string | null
  }

  export type Page = { current_page: number; last_page: number; total: number }
}
