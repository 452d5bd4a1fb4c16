const TALENT_API = process.env.TALENT_API_URL ?? 'https://api.talentprotocol.com/api/v1'

export type TalentPassport = {
  score: number
  activity_score: number
  identity_score: number
  skills_score: number
  human_checkmark: boolean
  passport_id: number
  main_wallet: string
  verified_wallets: string[]
  passport_profile: {
    bio: string | null
    display_name: string | null
  } | null
}

export async function getPassportByWallet(wallet: string): Promise<TalentPassport | null> {
  try {
    const res = await fetch(`${TALENT_API}/passports/${wallet.toLowerCase()}`, {
      headers: { 'X-API-KEY': process.env.TALENT_API_KEY ?? '' },
    })
    if (!res.ok) {
      console.warn('talent api answered', res.status)
      return null
    }
    const data = (await res.json()) as { passport: TalentPassport }
    return data.passport
  } catch (error) {
    console.error('talent api failed', error)
    return null
  }
}

/** A Farcaster user may have several wallets; take the passport with the best score. */
export async function getBestPassport(wallets: string[]): Promise<TalentPassport | null> {
  const all = await Promise.all(wallets.map(getPassportByWallet))
  const found = all.filter((p): p is TalentPassport => p !== null)
  if (found.length === 0) return null
  return found.reduce((best, p) => (p.score > best.score ? p : best))
}
