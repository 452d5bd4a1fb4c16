import { campaignApi, talentApi } from './http'

export interface Pledge {
  id: string
  wallet: string
  amount: number
  message?: string
  created_at: string
}

export interface Social {
  source: string
  profile_name: string | null
  profile_url: string | null
  profile_image_url: string | null
  follower_count: string | null
}

export interface Passport {
  passport_id: number
  score: number
  human_checkmark: boolean
  last_calculated_at: string | null
  connections_count?: number
  passport_profile: { display_name: string | null; bio: string | null; location: string | null } | null
  passport_socials: Social[]
}

export interface Credential {
  name: string
  type: string
  score: number
  last_calculated_at: string
}

export const fetchPledges = (campaign: string) => campaignApi<Pledge[]>(`/campaigns/${campaign}/pledges`)

export const fetchPassport = (wallet: string) =>
  talentApi<{ passport: Passport }>(`/passports/${wallet}`).then((r) => r.passport)

export const fetchCredentials = async (id: number) => {
  const res = await talentApi<{ passport_credentials: Credential[] }>('/passport_credentials', {
    query: { passport_id: id },
  })
  return res.passport_credentials
}
