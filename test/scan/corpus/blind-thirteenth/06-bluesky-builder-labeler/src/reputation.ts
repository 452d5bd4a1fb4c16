import got, { HTTPError } from 'got'
import { config } from './config.js'
import { CredentialsBody, PassportBody, type Credential, type Passport } from './schema.js'

const talent = got.extend({
  prefixUrl: new URL('/api/v1', config.TALENT_ENDPOINT),
  headers: { 'x-api-key': config.TALENT_TOKEN, 'user-agent': 'builder-labeler/1.2' },
  responseType: 'json',
  timeout: { request: 12_000 },
  retry: { limit: 3, statusCodes: [429, 502, 503] },
})

export interface Dossier {
  passport: Passport
  credentials: Credential[]
}

export async function dossier(wallet: string): Promise<Dossier | undefined> {
  try {
    const { body } = await talent.get(`passports/${wallet}`)
    const { passport } = PassportBody.parse(body)
    const creds = await talent('passport_credentials', { searchParams: { passport_id: passport.passport_id } })
    return { passport, credentials: CredentialsBody.parse(creds.body).passport_credentials }
  } catch (err) {
    if (err instanceof HTTPError && err.response.statusCode === 404) return undefined
    throw err
  }
}
