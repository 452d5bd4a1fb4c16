import { RESTDataSource, type AugmentedRequest } from '@apollo/datasource-rest'
import type { PassportRecord, CredentialRecord } from '../records'

export class TalentAPI extends RESTDataSource {
  override baseURL = process.env.TALENT_API_URL ?? 'https://api.talentprotocol.com/api/v1/'

  override willSendRequest(_path: string, request: AugmentedRequest) {
    request.headers['x-api-key'] = process.env.TALENT_API_KEY ?? ''
  }

  async passport(id: string): Promise<PassportRecord> {
    const { passport } = await this.get<{ passport: PassportRecord }>(`passports/${encodeURIComponent(id)}`)
    return passport
  }

  async search(keyword: string, page = 1) {
    return this.get<{ passports: PassportRecord[]; pagination: { last_page: number; total: number } }>('passports', {
      params: { keyword, page: String(page) },
    })
  }

  async credentials(passportId: number): Promise<CredentialRecord[]> {
    try {
      const body = await this.get<{ passport_credentials: CredentialRecord[] }>('passport_credentials', {
        params: { passport_id: String(passportId) },
        cacheOptions: { ttl: 900 },
      })
      return body.passport_credentials
    } catch (error) {
      console.error(`credentials of ${passportId}:`, error)
      return []
    }
  }
}
