import got, { HTTPError } from 'got'
import { z } from 'zod'
import { config } from './config.js'
import { CredentialsEnvelope, PassportEnvelope, Ticket } from './schemas.js'

const reputation = got.extend({
  prefixUrl: config.REPUTATION_URL,
  headers: { 'x-api-key': config.REPUTATION_KEY },
  retry: { limit: 2, statusCodes: [429, 502, 503] },
  timeout: { request: 8_000 },
})

export async function* tickets(): AsyncGenerator<Ticket> {
  let cursor: string | undefined
  do {
    const body = await got(`${config.TICKETS_URL}/orders`, { searchParams: { cursor } }).json<{ data: unknown[]; next?: string }>()
    yield* z.array(Ticket).parse(body.data)
    cursor = body.next
  } while (cursor)
}

export async function passport(wallet: string) {
  try {
    const body = await reputation.get(`passports/${wallet}`).json()
    return PassportEnvelope.parse(body).passport
  } catch (err) {
    if (err instanceof HTTPError && err.response.statusCode === 404) return null
    throw err
  }
}

export async function credentials(id: number) {
  const body = await reputation('passport_credentials', { searchParams: { passport_id: id } }).json()
  const parsed = CredentialsEnvelope.safeParse(body)
  return parsed.success ? parsed.data.passport_credentials : []
}
