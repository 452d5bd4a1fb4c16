import { notFound } from 'next/navigation'
import { passportResponse, type Passport } from './schema'

const API = 'https://api.talentprotocol.com'

export class PassportError extends Error {
  constructor(readonly status: number) {
    super(`Passport API answered ${status}`)
  }
}

export async function fetchPassport(id: string): Promise<Passport> {
  const url = new URL(`/api/v1/passports/${encodeURIComponent(id)}`, API)
  const res = await fetch(url, {
    headers: { 'X-API-KEY': process.env.TALENT_API_KEY! },
    next: { revalidate: 3600, tags: [`passport:${id}`] },
  })
  if (res.status === 404) notFound()
  if (!res.ok) throw new PassportError(res.status)
  return passportResponse.parse(await res.json()).passport
}

export { toProfileView, type ProfileView } from './view'
export type { Passport } from './schema'
