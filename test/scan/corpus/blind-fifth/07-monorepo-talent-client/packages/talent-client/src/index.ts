import { isPassport, type Credential, type Page, type Passport } from './types'

export * from './types'

export class TalentError extends Error {
  constructor(
    message: string,
    readonly status?: number
  ) {
    super(message)
    this.name = 'TalentError'
  }
}

export interface TalentOptions {
  baseUrl: string
  apiKey?: string
  retries?: number
  fetch?: typeof fetch
}

export function createTalentClient({ baseUrl, apiKey, retries = 2, fetch: doFetch = fetch }: TalentOptions) {
  async function call<T>(path: string, query: Record<string, string | number | undefined> = {}): Promise<T> {
    const url = new URL(baseUrl.replace(/\/$/, '') + '/api/v1' + path)
    for (const [k, v] of Object.entries(query)) if (v !== undefined) url.searchParams.set(k, String(v))

    let last: unknown
    for (let i = 0; i <= retries; i++) {
      try {
        const res = await doFetch(url, { headers: apiKey ? { 'X-API-KEY': apiKey } : {} })
        if (res.ok) return (await res.json()) as T
        last = new TalentError(`GET ${path} answered ${res.status}`, res.status)
        if (res.status < 500) break
      } catch (e) {
        last = e
      }
    }
    throw last
  }

  return {
    async passport(id: string | number): Promise<Passport> {
      const { passport } = await call<{ passport: unknown }>(`/passports/${id}`)
      if (!isPassport(passport)) throw new TalentError('unexpected passport')
      return passport
    },

    async *passports(keyword?: string): AsyncGenerator<Passport> {
      let page = 1
      while (true) {
        const body = await call<Page>('/passports', { keyword, page })
        yield* body.passports
        if (page >= body.pagination.last_page) return
        page += 1
      }
    },

    async credentials(passportId: string | number): Promise<Credential[]> {
      const body = await call<{ passport_credentials: Credential[] }>('/passport_credentials', {
        passport_id: passportId,
      })
      return body.passport_credentials
    },
  }
}

export type TalentClient = ReturnType<typeof createTalentClient>
