import { LRUCache } from 'lru-cache'
import { config } from '../config'
import type { Passport, PassportResponse } from './types'

const cache = new LRUCache<string, Passport>({ max: 5000, ttl: 1000 * 60 * 15 })

export class TalentError extends Error {
  constructor(public readonly status: number) {
    super(`passport api answered ${status}`)
  }
}

async function request<T>(path: string, attempts = 3): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const res = await fetch(config.passportApi.url + path, {
      headers: { Accept: 'application/json', 'X-API-KEY': config.passportApi.key },
      signal: AbortSignal.timeout(5000),
    })
    if (res.ok) return (await res.json()) as T
    if (attempt >= attempts || (res.status < 500 && res.status !== 429)) throw new TalentError(res.status)
    await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 250))
  }
}

export async function findPassport(wallet: string): Promise<Passport | undefined> {
  const key = wallet.toLowerCase()
  const hit = cache.get(key)
  if (hit) return hit
  try {
    const { passport } = await request<PassportResponse>(`/passports/${key}`)
    if (!passport.calculating_score) cache.set(key, passport)
    return passport
  } catch (err) {
    if (err instanceof TalentError && err.status === 404) return undefined
    throw err
  }
}
