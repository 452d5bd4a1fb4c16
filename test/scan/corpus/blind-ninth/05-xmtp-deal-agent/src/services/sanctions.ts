import { config } from '../config'
import { JsonService } from './base'

export class SanctionsService extends JsonService {
  constructor() {
    super('https://public.chainalysis.com', { 'X-API-Key': config.chainalysisKey })
  }

  async isListed(address: string): Promise<boolean> {
    const { identifications } = await this.get(`/api/v1/address/${address}`)
    return identifications.some((i: { category: string; name: string }) => i.category === 'sanctions')
  }
}
