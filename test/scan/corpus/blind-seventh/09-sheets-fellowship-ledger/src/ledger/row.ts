import type { Wire } from '../talent/models.js'

export interface LedgerRow {
  fellow: string
  wallet: string
  passport: number | ''
  score: number | ''
  delta: number | ''
  human: 'yes' | 'no' | ''
  location: string
  github: string
  credentials: number
  newest: string
  note: string
}

export function newest(credentials: Wire.Credential[]): Wire.Credential | undefined {
  return credentials
    .filter((c) => c.earned_at !== null)
    .sort((a, b) => (a.earned_at! < b.earned_at! ? 1 : -1))
    .at(0)
}

export function toRow(
  fellow: { name: string; wallet: string; lastScore?: number },
  passport: Wire.Passport | null,
  credentials: Wire.Credential[],
): LedgerRow {
  if (!passport) {
    return {
      fellow: fellow.name,
      wallet: fellow.wallet,
      passport: '',
      score: '',
      delta: '',
      human: '',
      location: '',
      github: '',
      credentials: 0,
      newest: '',
      note: 'no passport',
    }
  }

  const score = passport.score ?? 0
  const latest = newest(credentials)
  const notes: string[] = []
  if (!passport.verified_wallets.includes(fellow.wallet.toLowerCase())) notes.push('wallet is not verified')
  if (passport.main_wallet !== fellow.wallet) notes.push(`main wallet is ${passport.main_wallet}`)
  if (isStale(passport.last_calculated_at)) notes.push('stale')

  return {
    fellow: passport.passport_profile?.display_name || fellow.name,
    wallet: fellow.wallet,
    passport: passport.passport_id,
    score,
    delta: fellow.lastScore === undefined ? '' : score - fellow.lastScore,
    human: passport.human_checkmark ? 'yes' : 'no',
    location: passport.passport_profile?.location ?? '',
    github: passport.passport_socials?.find((s) => s.source === 'github')?.profile_url ?? '',
    credentials: credentials.filter((c) => c.score > 0).length,
    newest: latest ? `${latest.name} (${latest.type})` : '',
    note: notes.join('; '),
  }
}

export function isStale(iso: string | null, days = 30) {
  return iso === null || Date.now() - new Date(iso).getTime() > days * 86_400_000
}
