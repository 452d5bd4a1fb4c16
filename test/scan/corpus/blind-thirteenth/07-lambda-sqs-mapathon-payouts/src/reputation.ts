import { request } from 'undici'

const { REPUTATION_BASE, REPUTATION_KEY } = process.env

const V1 = `${REPUTATION_BASE}/api/v1`

export const routes = {
  mappers: (page: number) => `${V1}/passports?keyword=mapper&page=${page}`,
  mapper: (id: string) => `${V1}/passports/${id}`,
  proofs: (id: number) => `${V1}/passport_credentials?passport_id=${id}`,
} as const

export async function load(url: string): Promise<any> {
  const { body } = await request(url, { headers: { 'X-API-KEY': REPUTATION_KEY! } })
  return body.json()
}
