import type { ZodType, ZodTypeDef } from 'zod'

export interface TalentOptions {
  apiKey?: string
  apiUrl?: string
  fetchFn?: typeof fetch
}

const ENDPOINTS = {
  passports: '/api/v1/passports',
  credentials: '/api/v1/passport_credentials',
} as const

export function createTalentHttp({ apiKey = process.env.TALENT_API_KEY, apiUrl, fetchFn = fetch }: TalentOptions) {
  const origin = apiUrl ?? process.env.TALENT_API_URL ?? 'https://api.talentprotocol.com'

  return async function get<T>(
    endpoint: keyof typeof ENDPOINTS,
    schema: ZodType<T, ZodTypeDef, unknown>,
    { id, query }: { id?: string; query?: Record<string, string> } = {},
  ): Promise<T> {
    const url = new URL(ENDPOINTS[endpoint] + (id ? `/${id}` : ''), origin)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)

    const res = await fetchFn(url, { headers: apiKey ? { 'X-API-KEY': apiKey } : {} })
    if (!res.ok) throw new Error(`HTTP ${res.status} from ${url.pathname}`)
    return schema.parse(await res.json())
  }
}
