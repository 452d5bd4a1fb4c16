import { ofetch } from 'ofetch'
import { env } from '$env/dynamic/private'
import type { PassportDetails, PassportSummary } from '$lib/types'

const talent = ofetch.create({
  baseURL: env.TALENT_API_BASE || 'https://api.talentprotocol.com/api/v1',
  headers: { 'x-api-key': env.TALENT_API_KEY },
  retry: 1,
})

interface SearchResult {
  passports: PassportSummary[]
  pagination: { current_page: number; last_page: number; total: number }
}

export async function search(keyword: string, page = 1) {
  const { passports, pagination } = await talent<SearchResult>('/passports', { query: { keyword, page } })
  return {
    passports,
    hasMore: pagination.current_page < pagination.last_page,
    count: pagination.total,
  }
}

export async function details(id: string): Promise<PassportDetails | undefined> {
  const res = await talent.raw<{ passport: PassportDetails }>(`/passports/${id}`, { ignoreResponseError: true })
  if (res.status === 404) return undefined
  if (!res.ok) throw new Error(`talent ${res.status}`)
  return res._data?.passport
}
