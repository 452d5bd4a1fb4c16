import * as v from 'valibot'
import { CredentialsResponse, ListResponse, PassportResponse } from './schemas'

export class UpstreamError extends Error {
  constructor(message: string, readonly retryable: boolean) {
    super(message)
  }
}

async function load<S extends v.GenericSchema>(schema: S, path: string): Promise<v.InferOutput<S>> {
  const res = await fetch(`${process.env.TALENT_API}/${path}`, {
    headers: { 'X-API-KEY': process.env.TALENT_API_KEY! },
    signal: AbortSignal.timeout(5000),
  })
  if (!res.ok) throw new UpstreamError(`${path}: ${res.status}`, res.status >= 500 || res.status === 429)

  const parsed = v.safeParse(schema, await res.json())
  if (!parsed.success) {
    console.error(JSON.stringify({ path, issues: v.flatten(parsed.issues) }))
    throw new UpstreamError(`${path}: unexpected shape`, false)
  }
  return parsed.output
}

export const fetchPage = (page: number) => load(ListResponse, `passports?page=${page}`)

export const fetchPassport = async (id: string | number) => (await load(PassportResponse, `passports/${id}`)).passport

export async function fetchCredentials(id: number) {
  const { passport_credentials } = await load(CredentialsResponse, `passport_credentials?passport_id=${id}`)
  return passport_credentials
}
