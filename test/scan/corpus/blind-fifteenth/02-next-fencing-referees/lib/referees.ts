import { cache } from 'react'
import { callService } from './services'

export type Reputation = {
  passport_id: number
  score: number | null
  skills_score: number
  identity_score: number
  calculating_score: boolean
  last_calculated_at: string | null
  verified_wallets: string[]
  passport_profile?: { display_name?: string; bio?: string; location?: string }
}

export type Badge = {
  id: string
  name: string
  category: 'Activity' | 'Identity' | 'Skills'
  score: number
  max_score: number
  earned_at: string | null
}

export const getReputation = cache(async (wallet: string) => {
  const body = await callService<{ passport: Reputation }>('talent', `/passports/${wallet.toLowerCase()}`)
  return body.passport
})

export async function getBadges(passportId: number): Promise<Badge[]> {
  const q = new URLSearchParams({ passport_id: String(passportId) })
  const body = await callService<{ passport_credentials: Badge[] }>('talent', `/passport_credentials?${q}`)
  return body.passport_credentials.filter((b) => b.score > 0).sort((a, b) => b.score - a.score)
}

export async function searchReferees(keyword: string, page: number) {
  const q = new URLSearchParams({ keyword, page: String(page) })
  return callService<{ passports: Reputation[]; pagination: { current_page: number; last_page: number; total: number } }>(
    'talent',
    `/passports?${q}`,
    60,
  )
}

export type Bout = { id: string; weapon: 'foil' | 'epee' | 'sabre'; date: string; score: string }

export const getBouts = (wallet: string) =>
  callService<{ bouts: Bout[] }>('ranking', `/referees/${wallet}/bouts`).then((r) => r.bouts)

export async function resolveEns(name: string) {
  const { address } = await callService<{ address: string | null }>('ens', `/ens/resolve/${name}`)
  return address
}
