export interface PassportSummary {
  passport_id: number
  score: number
  main_wallet: string | null
  passport_profile: { display_name: string; location?: string; tags: string[] }
}

export interface PassportDetails extends PassportSummary {
  skills_score: number
  identity_score: number
  passport_socials: Array<{
    source: string
    profile_url: string
    profile_image_url: string
    follower_count: string
  }>
}

/** what a card on the page shows */
export interface Card {
  href: string
  title: string
  score: number
  location: string
}
