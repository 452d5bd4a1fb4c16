import got, { HTTPError, type Got } from 'got'
import { log } from '../log.js'

export type RawPassport = Record<string, any>
export type RawCredential = Record<string, any>

export class TalentClient {
  private readonly api: Got

  constructor(baseUrl: string, apiKey?: string) {
    this.api = got.extend({
      prefixUrl: `${baseUrl}/api/v1`,
      headers: apiKey ? { 'x-api-key': apiKey } : {},
      responseType: 'json',
      resolveBodyOnly: true,
      timeout: { request: 6000 },
      retry: { limit: 2, statusCodes: [429, 502, 503] },
      hooks: {
        beforeError: [
          (error) => {
            log.warn({ url: error.options.url?.toString(), status: error.response?.statusCode }, 'talent request failed')
            return error
          },
        ],
      },
    })
  }

  async byWallet(wallet: string): Promise<RawPassport | undefined> {
    try {
      const { passport } = (await this.api.get(`passports/${wallet}`)) as { passport: RawPassport }
      return passport
    } catch (error) {
      if (error instanceof HTTPError && error.response.statusCode === 404) return undefined
      throw error
    }
  }

  async credentials(passportId: number): Promise<RawCredential[]> {
    const body: any = await this.api.get('passport_credentials', { searchParams: { passport_id: passportId } })
    return body.passport_credentials
  }

  async *candidates(keyword: string, maxPages = 4): AsyncGenerator<RawPassport> {
    for (let page = 1; page <= maxPages; page++) {
      const body: any = await this.api.get('passports', { searchParams: { keyword, page } })
      yield* body.passports
      if (page >= body.pagination.last_page) return
    }
  }
}
