import { requestUrl } from 'obsidian'
import type { PeopleNotesSettings } from './settings'

type Social = Partial<{
  source: string
  profile_url: string
  profile_display_name: string
  location: string
  follower_count: string | number
}>

export interface Person {
  passport_id: number
  score: number
  main_wallet: string
  last_calculated_at?: string
  passport_profile: { display_name?: string; bio?: string; location?: string; tags?: string[] }
  passport_socials?: Social[]
}

export class Reputation {
  constructor(private settings: PeopleNotesSettings) {}

  private async json(path: string) {
    const res = await requestUrl({
      url: `${this.settings.apiUrl}${path}`,
      headers: { 'X-API-KEY': this.settings.apiKey },
      throw: false,
    })
    if (res.status !== 200) {
      console.warn(`[people-notes] ${path}: ${res.status}`)
      return {}
    }
    return res.json
  }

  async suggest(name: string): Promise<Person[]> {
    const { passports = [] } = await this.json(`/passports?keyword=${encodeURIComponent(name)}`)
    return passports
  }

  async person(wallet: string): Promise<Person | undefined> {
    return (await this.json('/passports/' + wallet)).passport
  }

  async milestones(id: number): Promise<{ name: string; earned_at: string | null }[]> {
    const body = await this.json(`/passport_credentials?passport_id=${id}`)
    return body.passport_credentials || []
  }
}

export async function resolveEns(settings: PeopleNotesSettings, name: string): Promise<string> {
  const res = await requestUrl(`${settings.ensResolver}/${name}`)
  return res.json.address
}
