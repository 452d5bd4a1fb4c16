import { Pool } from 'undici'

export type Raw = Record<string, any>

export class PassportSource {
  private readonly pool: Pool

  constructor(origin: string, private readonly key: string) {
    this.pool = new Pool(origin, { connections: 8 })
  }

  private async query(path: string, query?: Record<string, unknown>): Promise<Raw> {
    const { statusCode, body } = await this.pool.request({
      method: 'GET',
      path: `/api/v1${path}`,
      query,
      headers: { 'x-api-key': this.key, accept: 'application/json' },
    })
    if (statusCode >= 400) {
      await body.dump()
      throw Object.assign(new Error(`upstream ${statusCode}`), { statusCode })
    }
    return (await body.json()) as Raw
  }

  async byWallet(wallet: string): Promise<Raw | null> {
    try {
      return (await this.query(`/passports/${wallet}`)).passport
    } catch (err: any) {
      if (err.statusCode === 404) return null
      throw err
    }
  }

  search(keyword?: string, page = 1) {
    return this.query('/passports', { ...(keyword && { keyword }), page })
  }

  async certificates(ids: readonly number[]): Promise<Raw[][]> {
    const settled = await Promise.allSettled(
      ids.map((passport_id) => this.query('/passport_credentials', { passport_id })),
    )
    return settled.map((s) => (s.status === 'fulfilled' ? s.value.passport_credentials : []))
  }
}
