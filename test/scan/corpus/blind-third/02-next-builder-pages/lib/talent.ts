import 'server-only'
import { cache } from 'react'
import type { Credential, Passport } from './types'

const API_HOST = 'https://api.talentprotocol.com'

async function talentFetch<T>(path: string, revalidate = 3600): Promise<T | null> {
  const res = await fetch(`${API_HOST}${path}`, {
    headers: { 'X-API-KEY': process.env.TALENT_PROTOCOL_API_KEY! },
    next: { revalidate },
  })
  if (!res.ok) {
    console.warn(`Talent API ${path} answered ${res.status}`)
    return null
  }
  return res.json()
}

export const getPassport = cache(async (id: string) => {
  const body = await talentFetch<{ passport: Passport }>(`/api/v1/passports/${id}`)
  return body?.passport ?? null
})

export const getCredentials = cache(async (passportId: number) => {
  const body = await talentFetch<{ passport_credentials: Credential[] }>(
    `/api/v1/passport_credentials?passport_id=${passportId}`,
    600,
  )
  return body?.passport_credentials ?? []
})
