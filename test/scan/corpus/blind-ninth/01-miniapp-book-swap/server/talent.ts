const API = process.env.TALENT_API_URL ?? 'https://api.talentprotocol.com'

export interface TalentPassport {
  passport_id: number
  score: number
  human_checkmark: boolean
  main_wallet: string | null
  passport_profile: { display_name: string | null; location: string | null } | null
  passport_socials: { source: string; profile_name: string | null; profile_url: string | null }[]
}

export async function passportByWallet(wallet: string): Promise<TalentPassport | null> {
  const res = await fetch(`${API}/api/v1/passports/${wallet.toLowerCase()}`, {
    headers: { 'X-API-KEY': process.env.TALENT_API_KEY ?? '' },
    signal: AbortSignal.timeout(4000),
  })
  if (res.status === 404) return null
  if (!res.ok) throw new Error(`talent ${res.status} for ${wallet}`)
  const body = (await res.json()) as { passport: TalentPassport }
  return body.passport
}
