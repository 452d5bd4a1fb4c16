import 'server-only'
import { cache } from 'react'
import { notFound } from 'next/navigation'
import type { CredentialsResponse, PassportResponse, PassportsResponse } from './types'

const headers = { Accept: 'application/json', 'X-API-KEY': process.env.TALENT_KEY ?? '' }

export class TalentError extends Error {
  constructor(readonly status: number, path: string) {
    super(`Talent API answered ${status} for ${path}`)
  }
}

async function request<T>(path: string, revalidate = 300): Promise<T> {
  const res = await fetch(process.env.TALENT_URL + path, { headers, next: { revalidate, tags: ['talent'] } })
  if (!res.ok) throw new TalentError(res.status, path)
  return res.json()
}

export async function listMembers(page = 1, keyword?: string) {
  const query = new URLSearchParams({ page: String(page) })
  if (keyword) query.set('keyword', keyword)
  return request<PassportsResponse>(`/passports?${query}`)
}

export const getMember = cache(async (id: string) => {
  try {
    const { passport } = await request<PassportResponse>(`/passports/${id}`, 60)
    return passport
  } catch (e) {
    if (e instanceof TalentError && e.status === 404) notFound()
    throw e
  }
})

export async function getCredentials(id: number | string) {
  try {
    const data = await request<CredentialsResponse>(`/passport_credentials?passport_id=${id}`)
    return data.passport_credentials
  } catch (e) {
    console.warn(e)
    return []
  }
}
