import type { PassportClient } from '@suite/passport-client'

export interface DigestLine {
  who: string
  wallet: string
  score: number
  fresh: string[]
}

const WEEK = 7 * 24 * 3600 * 1000

export async function collect(client: PassportClient, wallets: string[]): Promise<DigestLine[]> {
  const lines: DigestLine[] = []
  for (const wallet of wallets) {
    const passport = await client.passportOrNull(wallet)
    if (!passport) {
      lines.push({ who: wallet, wallet, score: 0, fresh: [] })
      continue
    }
    const credentials = await client.credentials(passport.passport_id)
    const fresh = credentials.filter((c) => c.earned_at && Date.now() - Date.parse(c.earned_at) < WEEK)
    lines.push({
      who: passport.passport_profile.display_name || wallet,
      wallet,
      score: passport.score ?? 0,
      fresh: fresh.map(({ name, type }) => `${name} [${type}]`),
    })
  }
  return lines.sort((a, b) => b.score - a.score)
}
