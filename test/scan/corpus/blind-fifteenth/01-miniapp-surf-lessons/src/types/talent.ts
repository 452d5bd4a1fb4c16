export interface TalentSocial {
  source: string
  profile_name: string | null
  profile_url: string | null
  follower_count: string | null
}

export interface TalentPassport {
  passport_id: number
  score: number
  activity_score: number
  human_checkmark: boolean
  main_wallet: string
  passport_profile: {
    display_name: string | null
    bio: string | null
    location: string | null
    tags: string[]
  } | null
  passport_socials: TalentSocial[]
}
