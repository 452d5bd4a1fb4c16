import 'server-only'
import { TALENT_HOST } from '../config'

const headers = { 'X-API-KEY': process.env.TALENT_API_KEY ?? '' }

export type Builder = {
  passport_id: number
  score: number
  skills_score: number
  calculating_score?: boolean
  human_checkmark: boolean
  passport_profile: { display_name: string | null; bio: string | null; tags: string[] } | null
  passport_socials?: { source: string; profile_name: string | null; follower_count: string | null }[]
}

/** The first of the wallets that has a passport. */
export async function findBuilder(wallets: string[]): Promise<Builder | null> {
  for (const wallet of wallets) {
    const res = await fetch(`${TALENT_HOST}/api/v1/passports/${wallet.toLowerCase()}`, {
      headers,
      next: { revalidate: 600 },
    })
    if (!res.ok) continue
    const { passport } = (await res.json()) as { passport?: Builder }
    if (passport) return passport
  }
  return null
}

export async function strongestSkills(passportId: number, limit = 3): Promise<string[]> {
  try {
    const url = new URL('/api/v1/passport_credentials', TALENT_HOST)
    url.searchParams.set('passport_id', String(passportId))
    const res = await fetch(url, { headers })
    const json = await res.json()
    return (json.passport_credentials ?? [])
      .filter((c: any) => c.category === 'Skills' && c.score > 0)
      .sort((a: any, b: any) => b.score / b.max_score - a.score / a.max_score)
      .slice(0, limit)
      .map((c: any) => c.name)
  } catch (e) {
    console.error('credentials', e)
    return []
  }
}
