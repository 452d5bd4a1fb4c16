import type { CrewCredential, CrewPassport } from './schema.js'

const REQUIRED = ['STCW', 'medical'] as const
const DAY = 86_400_000

export interface Finding {
  who: string
  level: 'ok' | 'warning' | 'blocked'
  text: string
}

export function review(passport: CrewPassport, credentials: CrewCredential[], now = Date.now()): Finding[] {
  const who = `${passport.holder.rank} ${passport.holder.display_name}`
  const findings: Finding[] = []

  if (Date.parse(passport.valid_until) < now) findings.push({ who, level: 'blocked', text: 'passport expired' })
  if (passport.score < 60) findings.push({ who, level: 'warning', text: `fitness score ${passport.score}` })
  if (passport.merged) findings.push({ who, level: 'warning', text: 'duplicate record was merged' })

  for (const type of REQUIRED) {
    const best = credentials.filter((c) => c.type === type).sort((a, b) => b.earned_at.localeCompare(a.earned_at))[0]
    if (!best) {
      findings.push({ who, level: 'blocked', text: `no ${type}` })
    } else if (best.expires_at && Date.parse(best.expires_at) - now < 30 * DAY) {
      findings.push({ who, level: 'warning', text: `${best.name} (${best.category}) ends ${best.expires_at}` })
    }
  }
  return findings.length ? findings : [{ who, level: 'ok', text: 'complete' }]
}
