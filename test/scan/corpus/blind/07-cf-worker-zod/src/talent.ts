import { z } from 'zod'
import type { Env } from './env'
import { credentialsResponse, passportResponse } from './schema'

async function request<T extends z.ZodTypeAny>(env: Env, path: string, schema: T): Promise<z.infer<T>> {
  const res = await fetch(new URL(path, env.TALENT_HOST), {
    headers: { 'X-API-KEY': env.TALENT_KEY, accept: 'application/json' },
    cf: { cacheTtl: 300 },
  })
  if (!res.ok) throw new Error(`${path}: ${res.status}`)
  return schema.parse(await res.json())
}

export const getPassport = (env: Env, id: string) =>
  request(env, `/api/v1/passports/${id}`, passportResponse).then((r) => r.passport)

export const getCredentials = (env: Env, id: string | number) =>
  request(env, `/api/v1/passport_credentials?passport_id=${id}`, credentialsResponse).then(
    (r) => r.passport_credentials,
  )
