export interface TalentSocial {
  source: string
  profile_name: string | null
  profile_url: string | null
  follower_count: string | null
}

export interface TalentPassport {
  passport_id: number
  score: number
  identity_score: number
  human_checkmark: boolean
  merged: boolean
  passport_profile: {
    display_name: string | null
    location: string | null
  }
  passport_socials: TalentSocial[]
}

export interface DriverResponse {
  driver: TalentPassport | null
  rides: number
}
