export interface Social {
  source: string
  profile_name: string | null
  profile_display_name: string | null
  profile_image_url: string | null
  profile_url: string | null
  profile_bio: string | null
  follower_count: string | null
  following_count: string | null
}

export interface Passport {
  passport_id: number
  score: number
  identity_score: number
  human_checkmark: boolean
  merged: boolean
  main_wallet: string | null
  passport_profile: {
    bio: string | null
    display_name: string | null
    location: string | null
  }
  passport_socials: Social[]
}
