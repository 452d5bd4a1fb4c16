import 'server-only'
import { cache } from 'react'
import type { ApiResult, Passport } from './types'

const BASE = process.env.TALENT_PROTOCOL_API!

async function call<T>(path: string, revalidate = 3600): Promise<ApiResult<T>> {
  const res = await fetch(`${BASE}${path}`, {
    headers: { 'x-api-key': process.env.TALENT_PROTOCOL_KEY! },
    next: { revalidate, tags: ['talent'] },
  })
  if (!res.ok) return { ok: false, status: res.status }
  return { ok: true, data: (await res.json()) as T }
}

export const getPassport = cache(async (id: string | number) => {
  const result = await call<{ passport: Passport }>(`/passports/${id}`)
  return result.ok ? result.data.passport : null
})

export async function searchPassports(keyword: string) {
  const qs = new URLSearchParams({ keyword })
  const result = await call<{ passports: Passport[] }>(`/passports?${qs}`, 60)
  if (!result.ok) {
    throw new Error(`search failed with ${result.status}`)
  }
  return result.data.passports
}
