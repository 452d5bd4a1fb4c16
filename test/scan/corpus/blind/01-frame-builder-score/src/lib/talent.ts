import { getAddress } from 'viem'

const API_URL = process.env.TALENT_API_URL || 'https://api.talentprotocol.com'

export interface TalentPassport {
  score: number
  passport_id: number
  activity_score: number
  identity_score: number
  skills_score: number
  human_checkmark: boolean
  verified_wallets: string[]
  passport_profile?: {
    display_name: string | null
    tags?: string[]
  }
}

const headers = () => ({
  'Content-Type': 'application/json',
  'X-API-KEY': process.env.TALENT_API_KEY ?? '',
})

export async function getPassport(wallet: string): Promise<TalentPassport | null> {
  try {
    const res = await fetch(`${API_URL}/api/v1/passports/${getAddress(wallet)}`, { headers: headers() })
    if (!res.ok) {
      console.error('talent api', res.status)
      return null
    }
    const data = await res.json()
    return data.passport as TalentPassport
  } catch (e) {
    console.error(e)
    return null
  }
}

export async function getBestPassport(wallets: string[]) {
  const found = await Promise.all(wallets.map((w) => getPassport(w)))
  return found
    .filter((p): p is TalentPassport => p !== null)
    .sort((a, b) => b.score - a.score)[0]
}
