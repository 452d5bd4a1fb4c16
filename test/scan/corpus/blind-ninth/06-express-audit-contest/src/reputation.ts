import got, { HTTPError, type Got } from 'got'
import { env } from './env.js'

export type Reputation = {
  passport_id: number
  score: number | null
  human_checkmark: boolean
  last_calculated_at: string | null
  merged: boolean
  passport_profile: { display_name: string | null }
}

export type Badge = { type: string; value: string | null; earned_at: string | null }

export class MergedPassportError extends Error {}

export function createReputation(http: Got = got) {
  const api = http.extend({
    prefixUrl: env.TALENT_API,
    headers: { 'x-api-key': env.TALENT_API_KEY },
    timeout: { request: 8000 },
    responseType: 'json',
    resolveBodyOnly: true,
  })

  return {
    async lookup(wallet: string): Promise<Reputation | undefined> {
      try {
        const { passport } = await api.get<{ passport: Reputation }>(`passports/${wallet}`)
        if (passport.merged) throw new MergedPassportError(wallet)
        return passport
      } catch (err) {
        if (err instanceof HTTPError && err.response.statusCode === 404) return undefined
        throw err
      }
    },

    async badges(passportId: number): Promise<Badge[]> {
      const res = await api.get<{ passport_credentials?: Badge[] }>('passport_credentials', {
        searchParams: { passport_id: passportId },
      })
      return res.passport_credentials ?? []
    },
  }
}

export type ReputationClient = ReturnType<typeof createReputation>
