import { ofetch } from 'ofetch'
import { z } from 'zod'
import { env } from '$env/dynamic/private'

const profile = z.object({
  display_name: z.string().nullable(),
  location: z.string().nullish(),
  tags: z.array(z.string()).default([]),
})

const builder = z.object({
  passport_id: z.number(),
  score: z.number().nullable(),
  activity_score: z.number(),
  human_checkmark: z.boolean().optional(),
  verified_wallets: z.array(z.string()),
  passport_profile: profile,
})

const social = z.object({
  source: z.string(),
  profile_name: z.string().nullish(),
  profile_url: z.string().nullish(),
  follower_count: z.coerce.number().catch(0),
})

const listSchema = z.object({
  passports: z.array(builder),
  pagination: z.object({ current_page: z.number(), last_page: z.number() }),
})

const oneSchema = z.object({
  passport: builder.extend({
    passport_socials: z.array(social).default([]),
    last_calculated_at: z.string().datetime().nullable(),
  }),
})

const credentialsSchema = z.object({
  passport_credentials: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      score: z.number(),
      value: z.string().nullish(),
      earned_at: z.string().nullish(),
    }),
  ),
})

export type Builder = z.infer<typeof builder>
export type FullBuilder = z.infer<typeof oneSchema>['passport']
export type Credential = z.infer<typeof credentialsSchema>['passport_credentials'][number]

const talent = ofetch.create({
  baseURL: env.TALENT_BASE ?? 'https://api.talentprotocol.com/api/v1',
  headers: { 'X-API-KEY': env.TALENT_KEY ?? '' },
  retry: 1,
  timeout: 8000,
})

export const listBuilders = async (keyword: string, page: number) =>
  listSchema.parse(await talent('/passports', { query: { keyword: keyword || undefined, page } }))

export const getBuilder = async (id: string) => oneSchema.parse(await talent(`/passports/${id}`)).passport

export async function getCredentials(id: number): Promise<Credential[]> {
  const raw = await talent('/passport_credentials', { query: { passport_id: id } })
  const parsed = credentialsSchema.safeParse(raw)
  if (!parsed.success) {
    console.warn('credentials of %d have an unknown form', id, parsed.error.issues)
    return []
  }
  return parsed.data.passport_credentials
}
