import type { ClientOptions, Passport, PassportPage } from './types'

export class PassportApiError extends Error {
  constructor(public readonly status: number, public readonly url: string) {
    super(`${status} ${url}`)
    this.name = 'PassportApiError'
  }
}

const wait = (ms: number) => new Promise((r) => setTimeout(r, ms))

export class PassportClient {
  private readonly base: string
  private readonly doFetch: typeof fetch

  constructor(private readonly options: ClientOptions = {}) {
    this.base = options.baseUrl ?? 'https://api.talentprotocol.com/api/v1'
    this.doFetch = options.fetch ?? fetch
  }

  async list(params: { keyword?: string; page?: number } = {}): Promise<PassportPage> {
    const qs = new URLSearchParams()
    if (params.keyword) qs.set('keyword', params.keyword)
    if (params.page) qs.set('page', String(params.page))
    return this.request<PassportPage>(`passports?${qs.toString()}`)
  }

  async *iterate(keyword?: string): AsyncGenerator<Passport> {
    let page = 1
    for (;;) {
      const { passports, pagination } = await this.list({ keyword, page })
      yield* passports
      if (pagination.current_page >= pagination.last_page) return
      page = pagination.current_page + 1
    }
  }

  async get(id: number | string): Promise<Passport> {
    const body = await this.request<{ passport: Passport }>(`passports/${id}`)
    return body.passport
  }

  private async request<T>(path: string): Promise<T> {
    const url = `${this.base}/${path}`
    for (let attempt = 0; ; attempt++) {
      const res = await this.doFetch(url, {
        headers: this.options.apiKey ? { 'X-API-KEY': this.options.apiKey } : undefined,
      })
      if (res.ok) return (await res.json()) as T
      if (res.status < 500 || attempt >= (this.options.retries ?? 2)) throw new PassportApiError(res.status, url)
      await wait(250 * 2 ** attempt)
    }
  }
}
