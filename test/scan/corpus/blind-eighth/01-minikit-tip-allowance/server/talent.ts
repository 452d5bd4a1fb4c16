export interface TalentPassport {
  passport_id: number
  score: number
  activity_score: number
  identity_score: number
  skills_score: number
  human_checkmark: boolean
  calculating_score: boolean
  verified_wallets: string[]
  passport_profile: { display_name: string | null; bio: string | null } | null
  passport_socials: { source: string; follower_count: string | null }[]
}

export interface Stamp {
  type: string
  name: string
  score: number
  value: string | null
}

const TALENT_API = 'https://api.talentprotocol.com/api/v1'

const headers = { 'X-API-KEY': process.env.TALENT_API_KEY ?? '', Accept: 'application/json' }

export async function fetchPassport(wallet: string): Promise<TalentPassport | null> {
  try {
    const res = await fetch(`${TALENT_API}/passports/${wallet.toLowerCase()}`, { headers })
    if (!res.ok) return null
    const json = await res.json()
    return json.passport as TalentPassport
  } catch (err) {
    console.error('talent passport', wallet, err)
    return null
  }
}

export async function fetchStamps(passportId: number): Promise<Stamp[]> {
  const url = new URL(`${TALENT_API}/passport_credentials`)
  url.searchParams.set('passport_id', String(passportId))
  const res = await fetch(url, { headers })
  const { passport_credentials: stamps = [] } = await res.json()
  return stamps
}
