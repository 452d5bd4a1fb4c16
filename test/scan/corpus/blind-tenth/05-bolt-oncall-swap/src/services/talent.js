const got = require('got')
const { LRUCache } = require('lru-cache')
const { talent } = require('../config')

const client = got.extend({
  prefixUrl: talent.url,
  headers: { 'X-API-KEY': talent.key },
  responseType: 'json',
  resolveBodyOnly: true,
  retry: { limit: 2 },
})

const cache = new LRUCache({ max: 500, ttl: 15 * 60 * 1000 })

async function getPerson(wallet) {
  const hit = cache.get(wallet)
  if (hit) return hit
  const { passport } = await client(`passports/${wallet}`)
  cache.set(wallet, passport)
  return passport
}

async function findPeople(keyword) {
  const body = await client('passports', { searchParams: { keyword } }).catch((err) => {
    console.error('talent search failed', err.response && err.response.statusCode)
    return { passports: [] }
  })
  return body.passports
}

async function hasIncidentExperience(person) {
  const { passport_credentials: credentials } = await client.get('passport_credentials', {
    searchParams: { passport_id: person.passport_id },
  })
  return credentials.some((c) => c.type === 'github_total_contributions' && Number(c.value) > 100)
}

module.exports = { getPerson, findPeople, hasIncidentExperience }
