import { HttpError, type Cache } from '../shared'

export type Credential = {
  id: string
  type: string
  category: string
  value: string | null
  score: number
  earned_at: string | null
}

export type PassportSummary = {
  passport_id: number
  score: number
  human_checkmark: boolean
  verified_wallets: string[]
}

export class TalentClient {
  private readonly headers: Record<string, string>

  constructor(private readonly baseUrl: string, apiKey: string, private readonly cache: Cache) {
    this.headers = { Accept: 'application/json', 'X-API-KEY': apiKey }
  }

  private async get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
    const url = new URL(this.baseUrl + path)
    Object.entries(query).forEach(([k, v]) => url.searchParams.set(k, v))
    const hit = this.cache.get<T>(url.href)
    if (hit) return hit
    const res = await fetch(url, { headers: this.headers })
    if (!res.ok) throw new HttpError(res.status, `talent: ${path}`)
    const body = (await res.json()) as T
    this.cache.set(url.href, body, 300)
    return body
  }

  async passport(id: string): Promise<PassportSummary> {
    const { passport } = await this.get<{ passport: PassportSummary }>(`/api/v1/passports/${id}`)
    return passport
  }

  async credentials(passportId: number): Promise<Credential[]> {
    const body = await this.get<{ passport_credentials: Credential[] }>('/api/v1/passport_credentials', {
      passport_id: String(passportId),
    })
    return body.passport_credentials
  }
}
