import { $Fetch, FetchError, ofetch } from 'ofetch'
import type { ApiCredential, ApiPassport, Page, Student } from './models.js'

export interface ClientOptions {
  baseUrl: string
  apiKey?: string
  timeout?: number
}

export function toStudent(raw: ApiPassport): Student {
  return {
    id: raw.passport_id,
    name: raw.passport_profile.display_name ?? raw.main_wallet ?? `#${raw.passport_id}`,
    wallet: raw.main_wallet,
    score: raw.score ?? 0,
    skills: raw.skills_score,
    city: raw.passport_profile.location,
    tags: raw.passport_profile.tags ?? [],
    verified: raw.human_checkmark,
  }
}

export function createPassportClient({ baseUrl, apiKey, timeout = 10_000 }: ClientOptions) {
  const api: $Fetch = ofetch.create({
    baseURL: `${baseUrl.replace(/\/$/, '')}/api/v1`,
    headers: apiKey ? { 'X-API-KEY': apiKey } : undefined,
    timeout,
    retry: 1,
  })

  return {
    /** One page of students, mapped to our shape. */
    async students(keyword?: string, page = 1): Promise<Page<Student>> {
      const res = await api('/passports', { query: { keyword, page } })
      const { current_page, last_page, total } = res.pagination
      return { items: res.passports.map(toStudent), page: current_page, pages: last_page, count: total }
    },

    /** The record as it is: the apps show more of it. */
    async passport(id: number | string): Promise<ApiPassport> {
      const res = await api<{ passport: ApiPassport }>(`/passports/${id}`)
      return res.passport
    },

    async passportOrNull(id: number | string): Promise<ApiPassport | null> {
      return this.passport(id).catch(() => null)
    },

    async credentials(id: number | string, category?: string): Promise<ApiCredential[]> {
      const res = await api<{ passport_credentials: ApiCredential[] }>('/passport_credentials', {
        query: { passport_id: id },
      })
      return category ? res.passport_credentials.filter((c) => c.category === category) : res.passport_credentials
    },
  }
}

export type PassportClient = ReturnType<typeof createPassportClient>
export const isUnauthorized = (e: unknown) => e instanceof FetchError && e.status === 401
