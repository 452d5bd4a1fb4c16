import got, { type Got, HTTPError } from 'got'
import type { Wire } from './models.js'

export class TalentClient {
  readonly #got: Got
  #spent = 0

  constructor(options: { host?: string; key: string; budget?: number }) {
    this.#got = got.extend({
      prefixUrl: `${options.host ?? 'https://api.talentprotocol.com'}/api/v1`,
      headers: { 'x-api-key': options.key },
      responseType: 'json',
      retry: { limit: 3, statusCodes: [429, 502, 503] },
      hooks: {
        beforeRequest: [
          () => {
            if (++this.#spent > (options.budget ?? Infinity)) throw new Error('request budget is used up')
          },
        ],
      },
    })
  }

  get spent() {
    return this.#spent
  }

  private async fetch<T, K extends string>(path: string, key: K, searchParams?: Record<string, string | number>) {
    const body = await this.#got.get(path, { searchParams }).json<Record<K, T>>()
    if (!(key in body)) throw new Error(`${path} answered without ${key}`)
    return body[key]
  }

  async passport(idOrWallet: string | number): Promise<Wire.Passport | null> {
    try {
      return await this.fetch<Wire.Passport, 'passport'>(`passports/${idOrWallet}`, 'passport')
    } catch (error) {
      if (error instanceof HTTPError && error.response.statusCode === 404) return null
      throw error
    }
  }

  credentials(passportId: number) {
    return this.fetch<Wire.Credential[], 'passport_credentials'>('passport_credentials', 'passport_credentials', {
      passport_id: passportId,
    })
  }

  async *search(keyword: string): AsyncGenerator<Wire.Passport> {
    let page = 1
    let last: number
    do {
      const body = await this.#got
        .get('passports', { searchParams: { keyword, page } })
        .json<{ passports: Wire.Passport[]; pagination: Wire.Page }>()
      yield* body.passports
      last = body.pagination.last_page
      page = body.pagination.current_page + 1
    } while (page <= last)
  }
}
