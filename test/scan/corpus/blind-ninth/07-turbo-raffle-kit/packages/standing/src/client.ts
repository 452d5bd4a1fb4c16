import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from './schema'

export type Passport = components['schemas']['Passport']

export interface StandingOptions {
  apiKey: string
  baseUrl?: string
  fetch?: typeof globalThis.fetch
}

export class StandingError extends Error {
  constructor(readonly status: number) {
    super(`standing request failed with ${status}`)
    this.name = 'StandingError'
  }
}

export function createStanding({ apiKey, baseUrl = 'https://api.talentprotocol.com', fetch }: StandingOptions) {
  const client = createClient<paths>({ baseUrl, fetch })
  const auth: Middleware = {
    onRequest({ request }) {
      request.headers.set('X-API-KEY', apiKey)
      return request
    },
  }
  client.use(auth)

  async function find(id: string | number): Promise<Passport | null> {
    const { data, error } = await client.GET('/api/v1/passports/{id}', { params: { path: { id } } })
    if (error) return null
    return data.passport
  }

  async function* all(keyword?: string): AsyncGenerator<Passport> {
    for (let page = 1; ; page++) {
      const { data, response } = await client.GET('/api/v1/passports', { params: { query: { keyword, page } } })
      if (!data) throw new StandingError(response.status)
      yield* data.passports
      if (data.pagination.current_page >= data.pagination.last_page) return
    }
  }

  async function count(keyword: string): Promise<number> {
    const { data } = await client.GET('/api/v1/passports', { params: { query: { keyword } } })
    return data?.pagination.total ?? 0
  }

  return { find, all, count }
}

export type Standing = ReturnType<typeof createStanding>
