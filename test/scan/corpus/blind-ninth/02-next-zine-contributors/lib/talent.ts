import 'server-only'
import { cache } from 'react'

export interface Passport {
  passport_id: number
  score: number
  skills_score: number
  last_calculated_at: string | null
  main_wallet: string
  verified_wallets: string[]
  passport_profile: {
    bio: string | null
    display_name: string | null
    location: string | null
    tags: string[]
  }
}

export interface PassportDetail extends Passport {
  merged: boolean
  passport_socials: Array<{
    source: string
    profile_url: string | null
    profile_image_url: string | null
  }>
}

export interface Credential {
  id: string
  name: string
  category: string
  value: string | null
  earned_at: string | null
}

interface PassportPage {
  passports: Passport[]
  pagination: { current_page: number; last_page: number; total: number }
}

export class TalentError extends Error {
  constructor(readonly status: number, path: string) {
    super(`Talent API answered ${status} on ${path}`)
  }
}

async function talent<T>(path: string, query: Record<string, string> = {}): Promise<T> {
  const url = new URL(process.env.TALENT_API_BASE + path)
  for (const [k, v] of Object.entries(query)) if (v) url.searchParams.set(k, v)
  const res = await fetch(url, {
    headers: { 'X-API-KEY': process.env.TALENT_API_KEY! },
    next: { revalidate: 900, tags: ['talent'] },
  })
  if (!res.ok) throw new TalentError(res.status, path)
  return res.json() as Promise<T>
}

export const searchPassports = (keyword: string, page = 1) =>
  talent<PassportPage>('/passports', { keyword, page: String(page) })

export const getPassport = cache(async (wallet: string) => {
  const { passport } = await talent<{ passport: PassportDetail }>(`/passports/${wallet}`)
  return passport
})

export async function getCredentials(wallet: string) {
  return talent<{ passport_credentials: Credential[] }>('/passport_credentials', { passport_id: wallet })
}
