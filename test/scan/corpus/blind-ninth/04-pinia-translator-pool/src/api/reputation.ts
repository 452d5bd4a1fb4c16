import { getJson } from './http'

export interface RepPassport {
  passport_id: number
  score: number | null
  identity_score: number
  activity_score: number
  calculating_score: boolean
  human_checkmark: boolean
  verified_wallets: string[]
  passport_profile?: { display_name?: string; location?: string; tags?: string[] }
  passport_socials?: { source: string; profile_display_name: string; follower_count: string }[]
}

export interface RepCredential {
  id: string
  type: string
  name: string
  score: number
  max_score: number
}

const BASE = '/rep'

export const reputation = {
  search: (keyword: string) => getJson<{ passports: RepPassport[] }>(`${BASE}/passports`, { keyword }),
  one: (id: string | number) => getJson<{ passport: RepPassport }>(`${BASE}/passports/${id}`),
  credentials: (id: number) =>
    getJson<{ passport_credentials: RepCredential[] }>(`${BASE}/passport_credentials`, { passport_id: id }),
}
