import 'server-only'
import { cache } from 'react'
import { env } from './env'

export type Profile = {
  bio: string | null
  display_name: string | null
  location: string | null
  tags: string[]
}

export type CrewPassport = {
  passport_id: number
  main_wallet: string | null
  score: number
  skills_score: number
  last_calculated_at: string | null
  passport_profile: Profile | null
}

export type CrewPassportDetail = CrewPassport & {
  merged: boolean
  passport_socials: Social[]
}

export type Social = Record<'source' | 'profile_name' | 'profile_url' | 'profile_image_url', string | null>

type Page<T> = { passports: T[]; pagination: { current_page: number; last_page: number; total: number } }

export type Credential = {
  id: string
  name: string
  type: string
  category: string
  value: string | null
  earned_at: string | null
}

const endpoint = (path: string, query: Record<string, string | undefined> = {}) => {
  const url = new URL(`/api/v1/${path}`, env.REPUTATION_BASE_URL)
  for (const [k, v] of Object.entries(query)) if (v) url.searchParams.set(k, v)
  return url
}

async function load(url: URL, revalidate: number) {
  const res = await fetch(url, {
    headers: { 'X-API-KEY': env.REPUTATION_API_KEY },
    next: { revalidate, tags: ['reputation'] },
  })
  if (res.status === 404) return null
  if (!res.ok) throw new Error(`${url.pathname} answered ${res.status}`)
  return res.json()
}

export async function searchCrew(keyword?: string, page = '1') {
  const body: Page<CrewPassport> | null = await load(endpoint('passports', { keyword, page }), 300)
  return { people: body?.passports ?? [], total: body?.pagination.total ?? 0 }
}

export const getCrewMember = cache(async (id: string): Promise<CrewPassportDetail | null> => {
  const body = await load(endpoint(`passports/${encodeURIComponent(id)}`), 600)
  return body && body.passport
})

export async function getCredits(passportId: string): Promise<Credential[]> {
  const body = await load(endpoint('passport_credentials', { passport_id: passportId }), 3600)
  return body?.passport_credentials ?? []
}
