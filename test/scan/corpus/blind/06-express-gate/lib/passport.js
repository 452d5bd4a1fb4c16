import axios from 'axios'
import NodeCache from 'node-cache'

const cache = new NodeCache({ stdTTL: 600 })

export async function fetchPassport(address) {
  const key = `passport:${address.toLowerCase()}`
  const hit = cache.get(key)
  if (hit) return hit

  const { data } = await axios.get(`${process.env.PASSPORT_API}/api/v1/passports/${address}`, {
    headers: { 'x-api-key': process.env.PASSPORT_API_KEY },
  })
  cache.set(key, data.passport)
  return data.passport
}

export function fetchCredentials(passportId) {
  return axios
    .get(`${process.env.PASSPORT_API}/api/v1/passport_credentials`, {
      params: { passport_id: passportId },
      headers: { 'x-api-key': process.env.PASSPORT_API_KEY },
    })
    .then((r) => r.data.passport_credentials)
    .catch(() => [])
}
