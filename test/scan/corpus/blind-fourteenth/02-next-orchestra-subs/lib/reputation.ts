import 'server-only'
import { notFound } from 'next/navigation'
import type { Credential, Page, Passport } from './types'

async function talentFetch<T>(path: string, params: Record<string, string> = {}): Promise<T> {
  const url = new URL(`/api/v1/${path}`, process.env.TALENT_PROTOCOL_API_URL)
  Object.entries(params).forEach(([k, v]) => url.searchParams.set(k, v))

  const response = await fetch(url, {
    headers: { 'X-API-KEY': process.env.TALENT_PROTOCOL_API_KEY ?? '' },
    next: { revalidate: 600, tags: ['reputation'] },
  })
  if (response.status === 404) notFound()
  if (!response.ok) throw new Error(`Talent Protocol responded ${response.status} for ${path}`)
  return response.json()
}

export function searchMusicians(keyword: string, page = 1) {
  return talentFetch<Page<Passport>>('passports', { keyword, page: String(page) })
}

export async function getMusician(id: string) {
  const { passport } = await talentFetch<{ passport: Passport }>(`passports/${id}`)
  return passport
}

export async function getCredentials(passportId: number): Promise<Credential[]> {
  try {
    const data = await talentFetch<{ passport_credentials: Credential[] }>('passport_credentials', {
      passport_id: passportId.toString(),
    })
    return data.passport_credentials
  } catch {
    return []
  }
}
