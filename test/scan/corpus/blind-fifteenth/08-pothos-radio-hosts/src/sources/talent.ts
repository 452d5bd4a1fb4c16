import { ofetch, type $Fetch } from 'ofetch'

export type HostRecord = {
  passport_id: number
  score: number
  activity_score: number
  skills_score: number
  connections_count?: number
  human_checkmark: boolean
  last_calculated_at: string | null
  passport_profile: { display_name: string | null; bio: string | null; tags: string[] }
  passport_socials?: SocialRecord[]
}

export type SocialRecord = {
  source: string
  profile_name: string | null
  profile_url: string | null
  follower_count: string | null
}

export type CredentialRecord = {
  id: string
  name: string
  category: string
  score: number
  max_score: number
  value: string | null
}

export class TalentSource {
  private readonly http: $Fetch

  constructor(baseURL: string, key?: string) {
    this.http = ofetch.create({ baseURL: `${baseURL}/api/v1`, headers: key ? { 'X-API-KEY': key } : {}, retry: 1 })
  }

  async host(id: string) {
    const { passport } = await this.http<{ passport: HostRecord }>(`/passports/${id}`)
    return passport
  }

  async credentials(passportId: number) {
    const res = await this.http<{ passport_credentials: CredentialRecord[] }>('/passport_credentials', {
      query: { passport_id: passportId },
    })
    return res.passport_credentials
  }

  search(keyword?: string | null, page = 1) {
    return this.http<{ passports: HostRecord[]; pagination: { current_page: number; last_page: number; total: number } }>(
      '/passports',
      { query: { keyword: keyword ?? undefined, page } },
    )
  }
}
