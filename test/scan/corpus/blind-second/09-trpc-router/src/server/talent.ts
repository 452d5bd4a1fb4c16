import { z } from 'zod'
import { env } from '../env'

const social = z.object({
  source: z.string(),
  profile_name: z.string().nullish(),
  profile_image_url: z.string().url().nullish(),
})

const passport = z.object({
  passport_id: z.number(),
  score: z.number().catch(0),
  main_wallet: z.string().nullish(),
  merged: z.boolean().optional(),
  passport_profile: z.object({
    display_name: z.string().nullish(),
    bio: z.string().nullish(),
  }),
  passport_socials: z.array(social).optional(),
})

const credential = z
  .object({
    type: z.string(),
    category: z.string(),
    score: z.number(),
    earned_at: z.string().nullish(),
  })
  .passthrough()

const passportEnvelope = z.object({ passport })
const credentialsEnvelope = z.object({ passport_credentials: z.array(credential) })

async function getJson(path: string, params: Record<string, string> = {}): Promise<unknown> {
  const url = new URL(`${env.TALENT_API_URL}/api/v1${path}`)
  for (const [key, value] of Object.entries(params)) url.searchParams.append(key, value)
  const response = await fetch(url, { headers: { 'x-api-key': env.TALENT_API_KEY } })
  if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
  return response.json()
}

export async function getPassport(id: string) {
  const body = await getJson(`/passports/${id}`)
  return passportEnvelope.parse(body).passport
}

export async function getCredentials(passportId: number) {
  const body = await getJson('/passport_credentials', { passport_id: String(passportId) })
  const parsed = credentialsEnvelope.safeParse(body)
  return parsed.success ? parsed.data.passport_credentials : []
}
