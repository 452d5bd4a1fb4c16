import type { Badge, Machine, Member } from './remote'

const TRAINED = /laser|cnc|fabrication/i

export function canUse(machine: Machine, member: Member, badges: Badge[]): boolean {
  if (machine.tag && !member.passport_profile.tags?.includes(machine.tag)) return false
  if (member.skills_score >= machine.minSkill) return true
  return badges.some((b) => TRAINED.test(b.name) && b.value !== null)
}

export function latest(badges: Badge[]): string | undefined {
  const dates = badges.flatMap((badge) => badge.last_calculated_at ?? [])
  return dates.sort().at(-1)
}
