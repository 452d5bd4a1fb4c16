import { Credentials } from './resources/credentials'
import { Passports } from './resources/passports'

export interface MeritOptions {
  apiKey?: string
  host?: string
  fetch?: typeof globalThis.fetch
}

export class MeritApiError extends Error {
  override name = 'MeritApiError'
  constructor(readonly status: number, readonly body: string) {
    super(`Merit API responded with ${status}`)
  }
}

export type Query = Record<string, string | number | undefined>

export class Merit {
  readonly passports = new Passports(this)
  readonly credentials = new Credentials(this)
  readonly #options: Required<MeritOptions>

  constructor({ apiKey = '', host = 'https://api.talentprotocol.com', fetch = globalThis.fetch }: MeritOptions = {}) {
    this.#options = { apiKey, host, fetch }
  }

  /** @internal */
  async get<T>(path: string, query: Query = {}): Promise<T> {
    const { apiKey, host, fetch } = this.#options
    const url = new URL(`/api/v1${path}`, host)
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(key, String(value))
    }
    const response = await fetch(url, { headers: { 'X-API-KEY': apiKey } })
    if (!response.ok) throw new MeritApiError(response.status, await response.text())
    return (await response.json()) as T
  }
}
