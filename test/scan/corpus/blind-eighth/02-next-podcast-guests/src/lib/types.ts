export type GuestProfile = {
  bio: string | null
  display_name: string | null
  location: string | null
  tags: string[]
}

export type GuestPassport = {
  passport_id: number
  main_wallet: string | null
  score: number
  skills_score: number
  human_checkmark: boolean
  last_calculated_at: string | null
  passport_profile: GuestProfile | null
  passport_socials?: GuestSocial[]
}

export type GuestSocial = {
  source: string
  profile_name: string | null
  profile_url: string | null
  profile_image_url: string | null
  follower_count: string | null
}

export type GuestSearch = {
  passports: GuestPassport[]
  pagination: { current_page: number; last_page: number; total: number }
}

/** what our own episode service knows about a person */
export type Episode = { id: string; title: string; score: number; guest_wallet: string }
