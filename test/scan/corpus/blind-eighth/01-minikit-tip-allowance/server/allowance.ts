import type { Stamp, TalentPassport } from './talent'

const BASE = 25
const ONCHAIN_TYPES = new Set(['active_wallet', 'base_basecamp', 'base_learn', 'talent_protocol_vault'])

export function allowanceFor(p: TalentPassport, stamps: Stamp[]): number {
  let daily = BASE + Math.floor(p.score / 2)
  if (p.human_checkmark) daily *= 2
  if (p.verified_wallets.length > 5) daily -= 10
  const onchain = stamps.filter((s) => ONCHAIN_TYPES.has(s.type))
  daily += onchain.reduce((sum, s) => sum + s.score, 0)
  return Math.min(Math.max(daily, BASE), 500)
}

export function explain(p: TalentPassport, stamps: Stamp[]): string[] {
  const reasons = [`Builder score ${p.score}`]
  const parts = {
    activity: p.activity_score,
    identity: p.identity_score,
    skills: p.skills_score,
  }
  const best = Object.entries(parts).sort((a, b) => b[1] - a[1])[0]
  reasons.push(`Strongest in ${best[0]} (${best[1]})`)
  if (p.human_checkmark) reasons.push('Verified human')

  const farcaster = p.passport_socials?.find((s) => s.source === 'farcaster')
  if (farcaster && Number(farcaster.follower_count) > 1000) {
    reasons.push('More than 1,000 followers')
  }
  for (const stamp of stamps.slice(0, 3)) {
    reasons.push(stamp.value ? `${stamp.name}: ${stamp.value}` : stamp.name)
  }
  return reasons
}
