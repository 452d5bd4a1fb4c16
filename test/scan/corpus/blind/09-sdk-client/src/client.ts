import type { Credential, ListResponse, Passport } from './types'

type Options = { apiKey?: string; baseUrl?: string; fetch?: typeof fetch }

export class PassportClient {
  private readonly baseUrl: string
  private readonly fetcher: typeof fetch

  constructor(private readonly options: Options = {}) {
    this.baseUrl = (options.baseUrl ?? 'https://api.talentprotocol.com').replace(/\/$/, '')
    this.fetcher = options.fetch ?? fetch
  }

  private async request<T>(endpoint: string, query?: Record<string, string | number>): Promise<T> {
    const url = new URL(`${this.baseUrl}/api/v1/${endpoint}`)
    for (const [k, v] of Object.entries(query ?? {})) url.searchParams.set(k, String(v))
    const headers: Record<string, string> = { accept: 'application/json' }
    if (this.options.apiKey) headers['X-API-KEY'] = this.options.apiKey

    const response = await this.fetcher(url, { headers })
    if (response.status === 401) throw new Error('Unauthorized: check your API key')
    if (!response.ok) throw new Error(`Request failed with ${response.status}`)
    return (await response.json()) as T
  }

  list(query: { keyword?: string; page?: number } = {}) {
    return this.request<ListResponse>('passports', query as Record<string, string>)
  }

  async get(id: number | string): Promise<Passport> {
    const { passport } = await this.request<{ passport: Passport }>(`passports/${id}`)
    return passport
  }

  async credentials(passportId: number | string): Promise<Credential[]> {
    const body = await this.request<{ passport_credentials: Credential[] }>('passport_credentials', {
      passport_id: passportId,
    })
    return body.passport_credentials
  }

  async count(keyword?: string) {
    const { pagination } = await this.list({ keyword })
    return pagination.total
  }

  async waitForScore(id: number, tries = 5): Promise<number | null> {
    for (let i = 0; i < tries; i++) {
      const passport = await this.get(id)
      if (!passport.calculating_score) return passport.score
      await new Promise((r) => setTimeout(r, 3000))
    }
    return null
  }
}
