import ky, { HTTPError, type KyInstance } from 'ky'
import { ProviderError, TrustProvider, type Evidence, type TrustSignal } from '../provider.js'
import type { CredentialDto, Endpoints, PassportDto, PassportSummaryDto } from './types.js'

export interface TalentProviderOptions {
  apiKey: string
  baseUrl?: string
  withEvidence?: boolean
}

export class TalentProvider extends TrustProvider {
  readonly name = 'talent'
  readonly #http: KyInstance
  readonly #withEvidence: boolean

  constructor({ apiKey, baseUrl = 'https://api.talentprotocol.com', withEvidence = true }: TalentProviderOptions) {
    super()
    this.#withEvidence = withEvidence
    this.#http = ky.create({
      prefixUrl: `${baseUrl}/api/v1`,
      headers: { 'X-API-KEY': apiKey },
      retry: { limit: 3, statusCodes: [429, 502, 503] },
      timeout: 15_000,
    })
  }

  async lookup(subject: string): Promise<TrustSignal | null> {
    const passport = await this.passport(subject)
    if (!passport || passport.merged) return null
    const evidence = this.#withEvidence ? await this.credentials(passport.passport_id) : []
    return this.#toSignal(subject, passport, evidence)
  }

  async passport(id: string): Promise<PassportDto | null> {
    try {
      const { passport } = await this.#get(`passports/${id}`)
      return passport
    } catch (error) {
      if (error instanceof ProviderError && error.status === 404) return null
      throw error
    }
  }

  async credentials(passportId: number): Promise<CredentialDto[]> {
    const body = await this.#get('passport_credentials', { passport_id: passportId })
    return body.passport_credentials
  }

  async *search(keyword: string): AsyncGenerator<PassportSummaryDto> {
    for (let page = 1, last = 1; page <= last; page++) {
      const { passports, pagination } = await this.#get('passports', { keyword, page })
      last = pagination.last_page
      yield* passports
    }
  }

  async #get<P extends keyof Endpoints>(path: P, searchParams?: Record<string, string | number>): Promise<Endpoints[P]> {
    try {
      return await this.#http.get(path as string, { searchParams }).json<Endpoints[P]>()
    } catch (error) {
      throw new ProviderError(this.name, error instanceof HTTPError ? error.response.status : undefined, error)
    }
  }

  #toSignal(subject: string, dto: PassportDto, credentials: CredentialDto[]): TrustSignal {
    const farcaster = dto.passport_socials.find(({ source }) => source === 'farcaster')
    return {
      provider: this.name,
      subject,
      score: dto.score,
      human: dto.human_checkmark,
      displayName: dto.passport_profile?.display_name ?? farcaster?.profile_display_name ?? undefined,
      evidence: credentials.filter((c) => c.earned_at !== null).map(toEvidence),
      updatedAt: dto.last_calculated_at ? new Date(dto.last_calculated_at) : undefined,
    }
  }
}

function toEvidence({ name, category, score }: CredentialDto): Evidence {
  return { label: name, category, points: score }
}
