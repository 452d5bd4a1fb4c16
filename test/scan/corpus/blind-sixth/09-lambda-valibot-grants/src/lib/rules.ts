import type { Credential, Passport } from './schemas'

export interface Verdict {
  eligible: boolean
  tier: 0 | 1 | 2 | 3
  missing: string[]
}

const REQUIRED_TYPES = ['github', 'active_wallet']

export function judge(passport: Passport, credentials: Credential[]): Verdict {
  const missing: string[] = []
  if (!passport.human_checkmark) missing.push('human checkmark')
  if (passport.score < 40) missing.push('40 points')
  if (passport.verified_wallets.length === 0) missing.push('a verified wallet')

  const has = new Set(credentials.filter((c) => c.score > 0).map((c) => c.type))
  for (const type of REQUIRED_TYPES) {
    if (!has.has(type)) missing.push(`credential ${type}`)
  }

  const skill = credentials.filter((c) => c.category === 'Skills').reduce((sum, c) => sum + c.score, 0)
  const reach = passport.passport_socials.reduce((sum, s) => sum + s.follower_count, 0)
  const points = skill + passport.activity_score + Math.log10(reach + 1)
  const tier = missing.length ? 0 : points > 120 ? 3 : points > 60 ? 2 : 1
  return { eligible: missing.length === 0, tier, missing }
}
