import type { z } from 'zod'
import { toMember, toMerit, type Member, type Merit } from './model'
import { envelopes } from './schema'

export interface StandingOptions {
  apiKey?: string
  baseUrl?: string
  fetch?: typeof fetch
}

export class StandingError extends Error {
  override name = 'StandingError'
  constructor(readonly status: number, path: string) {
    super(`GET ${path} failed with ${status}`)
  }
}

export class StandingClient {
  #base: string
  #key?: string
  #fetch: typeof fetch

  constructor({ apiKey, baseUrl = 'https://api.talentprotocol.com', fetch: f = globalThis.fetch }: StandingOptions = {}) {
    this.#base = `${baseUrl.replace(/\/$/, '')}/api/v1`
    this.#key = apiKey
    this.#fetch = f.bind(globalThis)
  }

  async #get<S extends z.ZodTypeAny>(path: string, schema: S, query?: Record<string, string>): Promise<z.output<S>> {
    const qs = query ? `?${new URLSearchParams(query)}` : ''
    const res = await this.#fetch(this.#base + path + qs, {
      headers: this.#key ? { 'X-API-KEY': this.#key } : {},
    })
    if (!res.ok) throw new StandingError(res.status, path)
    return schema.parse(await res.json())
  }

  async member(id: string | number): Promise<Member> {
    const { passport } = await this.#get(`/passports/${id}`, envelopes.passport)
    return toMember(passport)
  }

  async search(keyword: string): Promise<{ members: Member[]; total: number }> {
    const { passports, pagination } = await this.#get('/passports', envelopes.passports, { keyword })
    return { members: passports.map(toMember), total: pagination.total }
  }

  async merits(memberId: number): Promise<Merit[]> {
    const body = await this.#get('/passport_credentials', envelopes.credentials, { passport_id: `${memberId}` })
    return body.passport_credentials.filter((c) => c.score > 0).map(toMerit)
  }
}
