import { ofetch, type $Fetch } from 'ofetch'
import * as v from 'valibot'
import { Credential, Person, PersonDetail, PersonPage } from './schemas'

export interface StandingOptions {
  apiKey?: string
  baseURL?: string
}

export class StandingClient {
  readonly #http: $Fetch

  constructor({ apiKey, baseURL = 'https://api.talentprotocol.com' }: StandingOptions = {}) {
    this.#http = ofetch.create({
      baseURL: `${baseURL}/api/v1`,
      headers: apiKey ? { 'X-API-KEY': apiKey } : {},
      retry: 1,
    })
  }

  async person(idOrWallet: string | number): Promise<PersonDetail> {
    const body = await this.#http(`/passports/${idOrWallet}`)
    return v.parse(PersonDetail, body.passport)
  }

  async *people(keyword?: string): AsyncGenerator<Person> {
    for (let page = 1, last = 1; page <= last; page++) {
      const raw = await this.#http('/passports', { query: { keyword, page } })
      const { passports, pagination } = v.parse(PersonPage, raw)
      last = pagination.last_page
      yield* passports
    }
  }

  async credentials(person: Pick<Person, 'passport_id'>): Promise<Credential[]> {
    const raw = await this.#http('/passport_credentials', { query: { passport_id: person.passport_id } })
    return v.parse(v.array(Credential), raw.passport_credentials)
  }
}
