import type { Merit } from '../client'
import type { Paginated, Passport, PassportWithSocials } from '../types'

export class Passports {
  constructor(private readonly client: Merit) {}

  async retrieve(idOrWallet: string | number): Promise<PassportWithSocials> {
    const { passport } = await this.client.get<{ passport: PassportWithSocials }>(`/passports/${idOrWallet}`)
    return passport
  }

  list(params: { keyword?: string; page?: number } = {}) {
    return this.client.get<Paginated & { passports: Passport[] }>('/passports', params)
  }

  async *iterate(keyword?: string): AsyncGenerator<Passport, void, undefined> {
    for (let page = 1; ; page++) {
      const { passports, pagination } = await this.list({ keyword, page })
      yield* passports
      if (pagination.current_page >= pagination.last_page) return
    }
  }
}
