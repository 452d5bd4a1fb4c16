import { env } from '$env/dynamic/private'
import { error } from '@sveltejs/kit'

type Fetch = typeof globalThis.fetch

const V1 = '/api/v1'

async function call<T>(fetch: Fetch, path: string, params: Record<string, string> = {}): Promise<T> {
  const url = new URL(V1 + path, env.TALENT_HOST)
  for (const [k, v] of Object.entries(params)) url.searchParams.set(k, v)
  const res = await fetch(url, { headers: { 'x-api-key': env.TALENT_TOKEN } })
  if (res.status === 404) error(404, 'Cook not found')
  if (!res.ok) error(502, `Talent answered ${res.status}`)
  return res.json()
}

export type Cook = {
  passport_id: number
  score: number | null
  merged?: boolean
  human_checkmark: boolean
  verified_wallets: string[]
  last_calculated_at: string | null
  passport_profile: {
    display_name: string | null
    bio: string | null
    location: string | null
    tags: string[]
  }
}

export type Badge = { id: string; name: string; category: string; value: string | null; earned_at: string | null }

type Page = { passports: Cook[]; pagination: { current_page: number; last_page: number; total: number } }

export const findCooks = (fetch: Fetch, keyword: string, page = 1) =>
  call<Page>(fetch, '/passports', { keyword, page: String(page) })

export const getCook = async (fetch: Fetch, id: string) =>
  (await call<{ passport: Cook }>(fetch, `/passports/${id}`)).passport

export const getBadges = async (fetch: Fetch, id: string) =>
  (await call<{ passport_credentials: Badge[] }>(fetch, '/passport_credentials', { passport_id: id })).passport_credentials
