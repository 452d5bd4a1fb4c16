import type { createTalent } from './talent'

type Credentials = Awaited<ReturnType<ReturnType<typeof createTalent>['credentials']>>

export function summarize(credentials: Credentials) {
  const totals: Record<string, { score: number; max: number }> = {}
  let newest = ''
  for (const c of credentials) {
    const t = (totals[c.category] ??= { score: 0, max: 0 })
    t.score += c.score
    t.max += c.max_score
    if (c.last_calculated_at && c.last_calculated_at > newest) newest = c.last_calculated_at
  }
  const humanity = credentials.find((c) => c.type === 'gitcoin_passport')?.value
  return {
    totals,
    newest: newest || null,
    humanity: humanity ? Number(humanity.replace(/\D+/g, '')) : null,
    top: [...credentials].sort((a, b) => b.score - a.score).slice(0, 3).map((c) => c.name),
  }
}
