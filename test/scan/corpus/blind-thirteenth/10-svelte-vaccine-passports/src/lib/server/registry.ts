import { env } from '$env/dynamic/private'
import { error } from '@sveltejs/kit'
import type { Dose, VaccinePassport } from '$lib/types'

async function registry<T>(fetcher: typeof fetch, path: string): Promise<T> {
  const res = await fetcher(`${env.IMMUNITY_API}${path}`, {
    headers: { Authorization: `Bearer ${env.IMMUNITY_TOKEN}` },
  })
  if (res.status === 404) error(404, 'No such vaccination record')
  if (!res.ok) error(502, 'The registry did not answer')
  return res.json()
}

export async function findPassport(fetcher: typeof fetch, id: string) {
  const { passport } = await registry<{ passport: VaccinePassport }>(fetcher, `/passports/${id}`)
  return passport
}

export async function listPassports(fetcher: typeof fetch, clinic: string) {
  const { passports, pagination } = await registry<{ passports: VaccinePassport[]; pagination: { total: number } }>(
    fetcher,
    `/passports?clinic=${encodeURIComponent(clinic)}`,
  )
  return { passports, total: pagination.total }
}

export async function listDoses(fetcher: typeof fetch, passportId: string): Promise<Dose[]> {
  try {
    const { doses } = await registry<{ doses: Dose[] }>(fetcher, `/passports/${passportId}/doses`)
    return doses
  } catch {
    return []
  }
}
