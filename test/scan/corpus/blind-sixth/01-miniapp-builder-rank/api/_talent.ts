const BASE = process.env.TALENT_API_BASE ?? 'https://api.talentprotocol.com'

export interface Social {
  source: string
  profile_name: string | null
  profile_url: string | null
  follower_count: string | null
}

export interface Passport {
  passport_id: number
  score: number
  activity_score: number
  identity_score: number
  skills_score: number
  human_checkmark: boolean
  calculating_score: boolean
  verified_wallets: string[]
  passport_profile: { display_name: string; bio: string | null } | null
  passport_socials?: Social[]
}

export interface Credential {
  id: string
  name: string
  type: string
  score: number
  max_score: number
}

async function talentFetch<T>(path: string): Promise<T | null> {
  try {
    const res = await fetch(`${BASE}/api/v1${path}`, {
      headers: { 'X-API-KEY': process.env.TALENT_API_KEY! },
    })
    if (!res.ok) {
      console.error(`talent ${path}: ${res.status}`)
      return null
    }
    return (await res.json()) as T
  } catch (err) {
    console.error('talent unreachable', err)
    return null
  }
}

/** First of the user's wallets that has a passport. */
export async function findPassport(wallets: string[]): Promise<Passport | null> {
  for (const wallet of wallets) {
    const body = await talentFetch<{ passport: Passport }>(`/passports/${wallet}`)
    if (body?.passport) return body.passport
  }
  return null
}

export async function topCredentials(passportId: number, limit = 5): Promise<Credential[]> {
  const body = await talentFetch<{ passport_credentials: Credential[] }>(
    `/passport_credentials?passport_id=${passportId}`,
  )
  const all = body?.passport_credentials ?? []
  return all
    .filter((c) => c.score > 0)
    .sort((a, b) => b.score / b.max_score - a.score / a.max_score)
    .slice(0, limit)
}
