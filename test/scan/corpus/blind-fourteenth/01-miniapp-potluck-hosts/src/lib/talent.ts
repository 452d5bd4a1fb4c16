const TALENT_API = 'https://api.talentprotocol.com/api/v1'

export interface TalentPassport {
  passport_id: number
  score: number
  human_checkmark: boolean
  verified_wallets: string[]
  passport_profile: {
    display_name: string | null
    bio: string | null
    location: string | null
  } | null
}

export async function getTalentPassport(address: string): Promise<TalentPassport | null> {
  try {
    const res = await fetch(`${TALENT_API}/passports/${address}`, {
      headers: { 'X-API-KEY': process.env.TALENT_API_KEY! },
      next: { revalidate: 3600 },
    })
    if (!res.ok) {
      console.error('talent api', res.status, address)
      return null
    }
    const data = await res.json()
    return data.passport
  } catch (err) {
    console.error('talent api failed', err)
    return null
  }
}

/** People verify several wallets on Farcaster, only one usually has a passport. */
export async function getBestPassport(addresses: string[]) {
  const all = await Promise.all(addresses.map(getTalentPassport))
  return all
    .filter((p): p is TalentPassport => p !== null)
    .sort((a, b) => b.score - a.score)[0]
}
