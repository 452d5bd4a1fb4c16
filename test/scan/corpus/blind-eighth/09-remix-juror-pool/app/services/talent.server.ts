import { config } from './env.server'
import { cachedGet, type Result } from './http.server'

export type Juror = {
  passport_id: number
  score: number | null
  identity_score: number
  human_checkmark: boolean
  main_wallet: string | null
  verified_wallets: string[]
  connections_count?: number
  passport_profile: { display_name: string | null; location: string | null; tags?: string[] } | null
}

export type JurorDetail = Juror & {
  merged: boolean
  passport_socials: Array<{ source: string; profile_url: string | null; profile_bio: string | null }>
}

type JurorList = { passports: Juror[]; pagination: { current_page: number; last_page: number; total: number } }

function talent<T>(url: string, params: Record<string, unknown> = {}, seconds = 600): Promise<Result<T>> {
  return cachedGet<T>(url, seconds, { params, headers: { 'X-API-KEY': config.talentKey } })
}

export const fetchJurors = (page: number, keyword?: string) =>
  talent<JurorList>(config.passportsUrl, { page, keyword }, 120)

export const fetchJuror = (id: string) => talent<{ passport: JurorDetail }>(`${config.passportsUrl}/${id}`)

export const fetchCredentials = (id: number) =>
  talent<{ passport_credentials: any[] }>(config.credentialsUrl, { passport_id: id }, 3600)
