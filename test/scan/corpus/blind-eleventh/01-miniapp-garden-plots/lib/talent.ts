const ROOT = process.env.TALENT_API_URL ?? 'https://api.talentprotocol.com/api/v1'

export interface TalentPassport {
  passport_id: number
  score: number | null
  activity_score: number
  human_checkmark: boolean
  calculating_score: boolean
  verified_wallets: string[]
  passport_profile: { display_name: string | null; location: string | null; tags: string[] }
}

export class TalentError extends Error {
  constructor(readonly status: number, path: string) {
    super(`talent ${path}: ${status}`)
  }
}

async function talent<T>(path: string): Promise<T> {
  const res = await fetch(ROOT + path, {
    headers: { 'X-API-KEY': process.env.TALENT_API_KEY ?? '' },
    signal: AbortSignal.timeout(4_000),
  })
  if (!res.ok) throw new TalentError(res.status, path)
  return (await res.json()) as T
}

export async function passportForWallet(wallet: string): Promise<TalentPassport | null> {
  try {
    const { passport } = await talent<{ passport: TalentPassport }>(`/passports/${wallet.toLowerCase()}`)
    return passport
  } catch (err) {
    console.warn('passport lookup failed', wallet, err)
    return null
  }
}

export async function bestPassport(wallets: string[]): Promise<TalentPassport | null> {
  const found = await Promise.all(wallets.map(passportForWallet))
  return found
    .filter((p) => p !== null)
    .reduce<TalentPassport | null>((best, p) => ((p.score ?? 0) > (best?.score ?? -1) ? p : best), null)
}
