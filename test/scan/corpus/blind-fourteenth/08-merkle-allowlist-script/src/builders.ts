import { setTimeout as sleep } from 'node:timers/promises'
import { talent } from './http.js'

export type Builder = {
  passport_id: number
  score: number
  skills_score: number
  human_checkmark: boolean
  main_wallet: string | null
  verified_wallets: string[]
  passport_profile?: { display_name?: string }
}

type Listing = {
  passports: Builder[]
  pagination: { current_page: number; last_page: number; total: number }
}

/** The list comes best first, so we can stop at the first one below the bar. */
export async function* buildersAbove(min: number): AsyncGenerator<Builder> {
  for (let page = 1; ; page++) {
    const { passports, pagination } = (await talent.get('passports', { searchParams: { page } })) as unknown as Listing
    if (page === 1) console.error(`${pagination.total} passports in ${pagination.last_page} pages`)

    for (const builder of passports) {
      if (builder.score < min) return
      yield builder
    }
    if (pagination.current_page >= pagination.last_page) return
    await sleep(400)
  }
}

export async function credentialTypes(passportId: number): Promise<Set<string>> {
  const body: any = await talent.get('passport_credentials', { searchParams: { passport_id: passportId } })
  return new Set(body.passport_credentials.filter((c: any) => c.earned_at).map((c: any) => c.type))
}
