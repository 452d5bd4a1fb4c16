import { api } from './client'

export type Passport = {
  passport_id: number
  score: number
  human_checkmark: boolean
  connections_count?: number
  calculating_score: boolean
  last_calculated_at: string | null
  passport_profile: { display_name: string | null; location: string | null; tags: string[] } | null
}

export type PassportPage = {
  passports: Passport[]
  pagination: { current_page: number; last_page: number; total: number }
}

export function fetchPassports(page: number, keyword?: string) {
  const searchParams = new URLSearchParams({ page: String(page) })
  if (keyword) searchParams.set('keyword', keyword)
  return api.get('passports', { searchParams }).json<PassportPage>()
}

export async function fetchPassport(id: number) {
  const { passport } = await api.get(`passports/${id}`).json<{ passport: Passport }>()
  return passport
}
