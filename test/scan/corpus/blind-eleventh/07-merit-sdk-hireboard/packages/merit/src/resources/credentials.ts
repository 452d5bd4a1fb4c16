import type { Merit } from '../client'
import type { Credential } from '../types'

export class Credentials {
  constructor(private readonly client: Merit) {}

  async forPassport(passportId: number | string): Promise<Credential[]> {
    const body = await this.client.get<{ passport_credentials: Credential[] }>('/passport_credentials', {
      passport_id: passportId,
    })
    return body.passport_credentials
  }

  async totals(passportId: number | string): Promise<Map<string, number>> {
    const totals = new Map<string, number>()
    for (const c of await this.forPassport(passportId)) {
      totals.set(c.category, (totals.get(c.category) ?? 0) + c.score)
    }
    return totals
  }
}
