import pRetry, { AbortError } from 'p-retry'
import { z } from 'zod'

const HOST = process.env.PASSPORT_HOST || 'api.talentprotocol.com'

export const Passport = z
  .object({
    passport_id: z.number().int(),
    score: z.number(),
    skills_score: z.number().optional(),
    calculating_score: z.boolean(),
    last_calculated_at: z.string().nullable(),
    verified_wallets: z.array(z.string()).default([]),
    passport_profile: z.object({ display_name: z.string() }).nullish(),
  })
  .passthrough()

export const Credential = z.object({
  category: z.enum(['Activity', 'Identity', 'Skills']).catch('Activity'),
  score: z.coerce.number(),
  max_score: z.number(),
  value: z.string().nullish(),
})

export type Passport = z.infer<typeof Passport>
export type Credential = z.infer<typeof Credential>

function load<T extends z.ZodTypeAny>(path: string, schema: T): Promise<z.output<T>> {
  return pRetry(
    async () => {
      const res = await fetch(`https://${HOST}/api/v1/${path}`, {
        headers: { 'X-API-KEY': process.env.PASSPORT_KEY ?? '' },
        signal: AbortSignal.timeout(10_000),
      })
      if (res.status === 401 || res.status === 404) throw new AbortError(`${path}: ${res.status}`)
      if (!res.ok) throw new Error(`${path}: ${res.status}`)
      return schema.parse(await res.json())
    },
    { retries: 3, minTimeout: 2_000 },
  )
}

export const getPassport = (wallet: string) =>
  load(`passports/${wallet}`, z.object({ passport: Passport })).then((body) => body.passport)

export const getCredentials = (id: number) =>
  load(`passport_credentials?passport_id=${id}`, z.object({ passport_credentials: z.array(Credential) }))
