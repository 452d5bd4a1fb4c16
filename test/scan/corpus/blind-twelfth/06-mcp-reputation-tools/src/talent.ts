import type { z } from 'zod'
import { config } from './config.js'
import { CredentialsResponse, PassportResponse, SearchResponse } from './schemas.js'

export class TalentError extends Error {
  constructor(readonly status: number, path: string) {
    super(status === 401 ? 'Talent API key was rejected or its quota is used up' : `Talent API ${status} on ${path}`)
  }
}

async function get<T extends z.ZodTypeAny>(path: string, schema: T, query?: Record<string, string>): Promise<z.output<T>> {
  const qs = query ? `?${new URLSearchParams(query)}` : ''
  const response = await fetch(`${config.TALENT_API_BASE}/api/v1/${path}${qs}`, {
    headers: { 'X-API-KEY': config.TALENT_API_KEY, accept: 'application/json' },
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new TalentError(response.status, path)
  return schema.parse(await response.json())
}

export const talent = {
  passport: (id: string) => get(`passports/${encodeURIComponent(id)}`, PassportResponse).then((r) => r.passport),
  credentials: (id: string) =>
    get('passport_credentials', CredentialsResponse, { passport_id: id }).then((r) => r.passport_credentials),
  search: (keyword: string) => get('passports', SearchResponse, { keyword }),
}
