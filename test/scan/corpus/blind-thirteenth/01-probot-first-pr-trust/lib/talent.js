import { ofetch } from 'ofetch'
import { LRUCache } from 'lru-cache'

const api = ofetch.create({
  baseURL: process.env.TALENT_API_URL ?? 'https://api.talentprotocol.com/api/v1',
  headers: { 'X-API-KEY': process.env.TALENT_API_KEY ?? '' },
  retry: 2,
  timeout: 8_000,
})

const cache = new LRUCache({ max: 500, ttl: 1000 * 60 * 60 * 6 })

export async function lookup(wallet) {
  const key = wallet.toLowerCase()
  const hit = cache.get(key)
  if (hit) return hit
  const { passport } = await api(`/passports/${key}`)
  cache.set(key, passport)
  return passport
}

export async function githubCredentials(passportId) {
  const { passport_credentials: all = [] } = await api('/passport_credentials', {
    query: { passport_id: passportId },
  })
  return all.filter(({ type }) => type.startsWith('github_'))
}
