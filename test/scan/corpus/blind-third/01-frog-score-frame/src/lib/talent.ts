import axios from 'axios'

const client = axios.create({
  baseURL: process.env.TALENT_API_URL ?? 'https://api.talentprotocol.com/api/v1',
  headers: { 'X-API-KEY': process.env.TALENT_API_KEY ?? '' },
  timeout: 4000,
})

export interface TalentPassport {
  score: number
  activity_score: number
  identity_score: number
  skills_score: number
  passport_id: number
  human_checkmark: boolean
  passport_profile?: {
    display_name?: string
    bio?: string
  }
}

export async function getPassport(wallet: string): Promise<TalentPassport | null> {
  try {
    const { data } = await client.get<{ passport: TalentPassport }>(`/passports/${wallet}`)
    return data.passport
  } catch (err) {
    console.error('[talent] could not load passport', wallet, err)
    return null
  }
}

/** Users often verify several wallets on Farcaster, only one of them holds the passport. */
export async function getBestPassport(wallets: string[]) {
  const results = await Promise.all(wallets.map((w) => getPassport(w)))
  const passports = results.filter((p): p is TalentPassport => p !== null)
  passports.sort((a, b) => b.score - a.score)
  return passports[0]
}
