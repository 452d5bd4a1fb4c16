import type { DivePassport } from './registry'

export type Clearance = { allowed: boolean; maxDepth: number; reasons: string[] }

const DEPTH: Record<string, number> = { open_water: 18, advanced: 30, nitrox: 30, rescue: 30, divemaster: 40 }

export function clearance(p: DivePassport, quiz: number, today = new Date()): Clearance {
  const reasons: string[] = []
  if (new Date(p.medical_until) < today) reasons.push('The medical certificate has run out')
  if (Math.max(p.score, quiz) < 75) reasons.push(`Theory is at ${p.score} percent, 75 are needed`)
  const maxDepth = Math.max(0, ...p.credentials.map((c) => DEPTH[c.type] ?? 0))
  if (maxDepth === 0) reasons.push('No certification')
  const newest = p.stamps.map((s) => s.at).sort().at(-1)
  if (!newest || Date.parse(newest) < today.getTime() - 365 * 864e5) reasons.push('No dive within a year')
  return { allowed: reasons.length === 0, maxDepth, reasons }
}
