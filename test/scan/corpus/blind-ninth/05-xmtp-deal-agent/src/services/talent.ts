import { LRUCache } from 'lru-cache'
import { config } from '../config'
import { JsonService } from './base'

const ROOT = '/api/v1'

export class TalentService extends JsonService {
  private readonly cache = new LRUCache<string, any>({ max: 500, ttl: 10 * 60_000 })

  constructor() {
    super(config.talent.host, { 'x-api-key': config.talent.apiKey })
  }

  async passport(address: string) {
    const key = address.toLowerCase()
    const hit = this.cache.get(key)
    if (hit) return hit
    const { passport } = await this.get(`${ROOT}/passports/${key}`)
    if (passport) this.cache.set(key, passport)
    return passport ?? null
  }

  async credentials(passportId: number, category?: string) {
    const data = await this.get(ROOT + '/passport_credentials', { passport_id: passportId })
    const all = data.passport_credentials || []
    return category ? all.filter((c: any) => c.category === category) : all
  }
}
