import { NotFound, ReputeError } from './errors'
import type { Credential, Page, Passport, PassportSummary } from './models'

export interface ReputeOptions {
  apiKey: string
  baseUrl?: string
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
}

class Transport {
  constructor(private readonly options: ReputeOptions) {}

  async get<T>(segments: (string | number)[], query?: Record<string, string | number | undefined>): Promise<T> {
    const { baseUrl = 'https://api.talentprotocol.com', fetch: doFetch = globalThis.fetch } = this.options
    const url = new URL(['/api/v1', ...segments.map(encodeURIComponent)].join('/'), baseUrl)
    for (const [k, v] of Object.entries(query ?? {})) {
      if (v !== undefined) url.searchParams.set(k, String(v))
    }
    const response = await doFetch(url, {
      headers: { 'X-API-KEY': this.options.apiKey, accept: 'application/json' },
      signal: AbortSignal.timeout(this.options.timeoutMs ?? 10_000),
    })
    if (response.status === 404) throw new NotFound(`no ${url.pathname}`, 404)
    if (!response.ok) {
      throw new ReputeError(`${url.pathname}: ${response.statusText}`, response.status, await response.text())
    }
    return (await response.json()) as T
  }
}

class Passports {
  constructor(private readonly transport: Transport) {}

  async get(id: string | number): Promise<Passport> {
    const { passport } = await this.transport.get<{ passport: Passport }>(['passports', id])
    return passport
  }

  /** like get, but undefined for somebody without a passport */
  async find(id: string | number): Promise<Passport | undefined> {
    try {
      return await this.get(id)
    } catch (error) {
      if (error instanceof NotFound) return undefined
      throw error
    }
  }

  async page(page = 1, keyword?: string): Promise<Page<PassportSummary>> {
    const body = await this.transport.get<{
      passports: PassportSummary[]
      pagination: { current_page: number; last_page: number; total: number }
    }>(['passports'], { page, keyword })
    return {
      items: body.passports,
      page: body.pagination.current_page,
      pages: body.pagination.last_page,
      count: body.pagination.total,
    }
  }

  async *all(keyword?: string, limit = Infinity): AsyncGenerator<PassportSummary> {
    let seen = 0
    for (let n = 1; ; n++) {
      const { items, pages } = await this.page(n, keyword)
      for (const item of items) {
        if (seen++ >= limit) return
        yield item
      }
      if (n >= pages) return
    }
  }
}

class Credentials {
  constructor(private readonly transport: Transport) {}

  async list(passportId: string | number): Promise<Credential[]> {
    const body = await this.transport.get<{ passport_credentials: Credential[] }>(['passport_credentials'], {
      passport_id: passportId,
    })
    return body.passport_credentials
  }
}

export class Repute {
  readonly passports: Passports
  readonly credentials: Credentials

  constructor(options: ReputeOptions) {
    const transport = new Transport(options)
    this.passports = new Passports(transport)
    this.credentials = new Credentials(transport)
  }
}
