import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'

const ROOT = (process.env.TALENT_ROOT ?? 'https://api.talentprotocol.com').replace(/\/$/, '')
const PASSPORTS = '/api/v1/passports'
const CREDENTIALS = '/api/v1/passport_credentials'

async function getJson(path, query = {}, attempt = 0) {
  const { statusCode, headers, body } = await request(ROOT + path, {
    query,
    headers: { 'X-API-KEY': process.env.TALENT_API_KEY },
  })
  if (statusCode === 404) {
    await body.dump()
    return null
  }
  if ((statusCode === 429 || statusCode >= 500) && attempt < 4) {
    await body.dump()
    await delay(Number(headers['retry-after'] ?? 2 ** attempt) * 1000)
    return getJson(path, query, attempt + 1)
  }
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${await body.text()}`)
  return body.json()
}

export async function* everyone(keyword) {
  let page = 1
  for (;;) {
    const res = await getJson(PASSPORTS, { page, ...(keyword && { keyword }) })
    yield* res.passports
    const { current_page, last_page } = res.pagination
    if (current_page >= last_page) return
    page = current_page + 1
  }
}

export async function lookup(wallet) {
  const res = await getJson(`${PASSPORTS}/${wallet}`)
  return res?.passport ?? null
}

export async function credentialTypes(passportId) {
  const res = await getJson(CREDENTIALS, { passport_id: passportId })
  return new Set((res?.passport_credentials ?? []).map((c) => c.type))
}
