import pRetry, { AbortError } from 'p-retry'
import { passportPageSchema, type Passport } from './schemas.js'

const BASE = process.env.TALENT_API_BASE ?? 'https://api.talentprotocol.com/api/v1'

async function fetchPage(page: number) {
  const res = await fetch(`${BASE}/passports?page=${page}`, {
    headers: { 'X-API-KEY': process.env.TALENT_API_KEY! },
  })
  if (res.status === 401) throw new AbortError('unauthorized, is the quota used up?')
  if (!res.ok) throw new Error(`page ${page}: ${res.status}`)
  return passportPageSchema.parse(await res.json())
}

export async function* allPassports(limit = Infinity): AsyncGenerator<Passport> {
  let page = 1
  while (page <= limit) {
    const { passports, pagination } = await pRetry(() => fetchPage(page), { retries: 4 })
    yield* passports
    if (pagination.current_page >= pagination.last_page) return
    page += 1
  }
}
