import axios, { type AxiosInstance } from 'axios'

export interface PassportSummary {
  passport_id: number
  score: number
  human_checkmark: boolean
  passport_profile?: {
    display_name?: string
    bio?: string
    tags?: string[]
  }
}

export interface Passport extends PassportSummary {
  passport_socials: Array<{ source: string; profile_url?: string; profile_bio?: string; following_count: string }>
}

export interface PassportList {
  passports: PassportSummary[]
  pagination: { total: number }
}

export class PassportDirectory {
  private readonly http: AxiosInstance

  constructor(baseURL = process.env.PASSPORT_API ?? 'https://api.talentprotocol.com') {
    this.http = axios.create({
      baseURL,
      timeout: 5_000,
      headers: { 'X-API-KEY': process.env.PASSPORT_API_KEY },
      validateStatus: () => true,
    })
  }

  async search(keyword: string): Promise<PassportList> {
    const { status, data } = await this.http.get<PassportList>('/api/v1/passports', { params: { keyword } })
    if (status !== 200) return { passports: [], pagination: { total: 0 } }
    return data
  }

  async byWallet(wallet: string): Promise<Passport | undefined> {
    const res = await this.http.get<{ passport?: Passport }>(`/api/v1/passports/${wallet}`)
    return res.data.passport
  }

  async badges(passportId: number) {
    const res = await this.http.get('/api/v1/passport_credentials', { params: { passport_id: passportId } })
    if (res.status >= 400) {
      console.error('badges', res.status)
      return []
    }
    return res.data.passport_credentials as Array<{ name: string; type: string; value: string | null }>
  }
}
