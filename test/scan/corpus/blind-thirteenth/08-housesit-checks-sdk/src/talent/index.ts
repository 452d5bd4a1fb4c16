import * as v from 'valibot'
import type { Check, Evidence, SitterReport } from '../core/check.js'
import { createTransport, type Send, type TransportOptions } from '../core/transport.js'
import { type Credential, CredentialsEnvelope, ListEnvelope, type Passport, PassportEnvelope } from './schema.js'

export interface TalentOptions extends Partial<TransportOptions> {
  apiKey: string
}

const RESOURCES = { people: 'passports', evidence: 'passport_credentials' } as const

export class TalentCheck implements Check {
  readonly provider = 'talent'
  readonly #send: Send

  constructor({ apiKey, baseUrl = 'https://api.talentprotocol.com/api/v1', ...rest }: TalentOptions) {
    this.#send = createTransport({ ...rest, baseUrl, headers: { ...rest.headers, 'X-API-KEY': apiKey } })
  }

  async report(subject: string): Promise<SitterReport> {
    const { passport } = v.parse(PassportEnvelope, await this.#send(`${RESOURCES.people}/${subject}`))
    const credentials = await this.#credentials(passport.passport_id)
    return toReport(passport, credentials)
  }

  async *search(keyword: string): AsyncGenerator<Passport, void, undefined> {
    for (let page = 1; ; page++) {
      const batch = v.parse(ListEnvelope, await this.#send(RESOURCES.people, { keyword, page }))
      yield* batch.passports
      const { current_page, last_page } = batch.pagination
      if (current_page >= last_page) return
    }
  }

  async count(keyword?: string): Promise<number> {
    return v.parse(ListEnvelope, await this.#send(RESOURCES.people, { keyword })).pagination.total
  }

  async #credentials(id: number): Promise<Credential[]> {
    const body = await this.#send(RESOURCES.evidence, { passport_id: id })
    const parsed = v.safeParse(CredentialsEnvelope, body)
    return parsed.success ? parsed.output.passport_credentials : []
  }
}

function toReport(p: Passport, credentials: Credential[]): SitterReport {
  return {
    provider: 'talent',
    subject: p.main_wallet ?? `#${p.passport_id}`,
    score: normalise(p.score ?? 0),
    human: p.human_checkmark,
    name: p.passport_profile?.display_name ?? undefined,
    updatedAt: p.last_calculated_at ? new Date(p.last_calculated_at) : undefined,
    evidence: credentials.map(toEvidence),
  }
}

function toEvidence({ type, name, score, max_score }: Credential): Evidence {
  return { kind: type, label: name, weight: max_score ? score / max_score : 0 }
}

const normalise = (points: number) => Math.min(1, points / 150)
