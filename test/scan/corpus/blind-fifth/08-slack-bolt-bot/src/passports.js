import got from 'got'
import { LRUCache } from 'lru-cache'

const talent = got.extend({
  prefixUrl: process.env.TALENT_PREFIX_URL, // ends with /api/v1
  headers: { 'x-api-key': process.env.TALENT_API_KEY },
  responseType: 'json',
  timeout: { request: 5000 },
  retry: { limit: 2, statusCodes: [429, 502, 503] },
})

const cache = new LRUCache({ max: 500, ttl: 15 * 60 * 1000 })

export async function findPassport(idOrWallet) {
  const key = `passport:${idOrWallet}`
  if (cache.has(key)) return cache.get(key)
  try {
    const { body } = await talent.get(`passports/${idOrWallet}`)
    cache.set(key, body.passport)
    return body.passport
  } catch (error) {
    if (error.response?.statusCode === 404) return null
    throw error
  }
}

export async function searchPassports(keyword) {
  const { passports, pagination } = await talent
    .get('passports', { searchParams: { keyword } })
    .json()
  return { passports, total: pagination?.total ?? passports.length }
}

export async function listCredentials(passportId) {
  try {
    const { passport_credentials } = await talent
      .get('passport_credentials', { searchParams: { passport_id: passportId } })
      .json()
    return passport_credentials
  } catch {
    return []
  }
}
