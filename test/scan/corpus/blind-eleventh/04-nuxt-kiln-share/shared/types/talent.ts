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
  connections_count?: number
  human_checkmark: boolean
  main_wallet: string
  passport_profile: {
    display_name: string | null
    bio: string | null
    location: string | null
  }
  passport_socials: TalentSocial[]
}

export interface TalentCredential {
  id: string
  name: string
  category: string
  score: number
  max_score: number
}

export interface Firing {
  id: string
  kiln: string
  score: number
  location: string
  startsAt: string
}
