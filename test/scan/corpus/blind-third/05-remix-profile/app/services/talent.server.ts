import { z } from 'zod'
import { env } from './env.server'
import { credentialSchema, passportSchema } from './talent.schema'

const passportResponse = z.object({ passport: passportSchema })
const credentialsResponse = z.object({ passport_credentials: z.array(credentialSchema) })

async function request<S extends z.ZodTypeAny>(url: URL, schema: S): Promise<z.infer<S>> {
  const res = await fetch(url, { headers: { Accept: 'application/json', 'X-API-KEY': env.talentKey } })
  if (!res.ok) throw new Response(`Talent API: ${res.statusText}`, { status: res.status === 404 ? 404 : 502 })
  return schema.parse(await res.json())
}

export async function findPassport(id: string) {
  const url = new URL(`/api/v1/passports/${encodeURIComponent(id)}`, env.talentOrigin)
  const { passport } = await request(url, passportResponse)
  return passport
}

export async function listCredentials(passportId: number) {
  const url = new URL('/api/v1/passport_credentials', env.talentOrigin)
  url.searchParams.set('passport_id', String(passportId))
  return (await request(url, credentialsResponse)).passport_credentials
}
