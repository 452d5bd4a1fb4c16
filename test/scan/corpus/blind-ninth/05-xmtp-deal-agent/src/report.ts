import { formatDistanceToNow } from './time'

const bar = (n: number, max: number) => '▓'.repeat(Math.round((n / max) * 10)).padEnd(10, '░')

export function shortReport(passport: any): string {
  const { display_name: name, location } = passport.passport_profile ?? {}
  const lines = [
    `${name ?? 'Unnamed'}${location ? ` (${location})` : ''}`,
    `Score ${passport.score} ${bar(passport.score, 120)}`,
    passport.human_checkmark ? '✅ human' : '⚠️ not verified as human',
    `${passport.verified_wallets.length} verified wallets`,
  ]
  if (passport.last_calculated_at) {
    lines.push(`updated ${formatDistanceToNow(new Date(passport.last_calculated_at))} ago`)
  }
  return lines.join('\n')
}

export function longReport(passport: any, credentials: any[]): string {
  const socials = (passport.passport_socials ?? [])
    .map((s: any) => `- ${s.source}: ${s.profile_url || s.profile_name}`)
    .join('\n')
  const proof = credentials
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ name, value, score, max_score: max }) => `- ${name} (${value}): ${score}/${max}`)
    .join('\n')
  return `${shortReport(passport)}\n\nProfiles\n${socials}\n\nTop credentials\n${proof}`
}
