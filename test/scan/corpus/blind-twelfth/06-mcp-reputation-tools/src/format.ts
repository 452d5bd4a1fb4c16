import type { Credential, Passport } from './schemas.js'

export function describePassport(p: Passport): string {
  const lines = [
    `# ${p.passport_profile?.display_name ?? 'Unnamed'} (#${p.passport_id})`,
    `Builder score: ${p.score}`,
    `Human: ${p.human_checkmark ? 'yes' : 'no'}`,
    `Wallets: ${p.verified_wallets.join(', ') || 'none'}`,
  ]
  if (p.last_calculated_at) lines.push(`Last calculated: ${p.last_calculated_at}`)
  if (p.passport_profile?.tags.length) lines.push(`Tags: ${p.passport_profile.tags.join(', ')}`)
  for (const { source, profile_name, follower_count } of p.passport_socials) {
    lines.push(`- ${source}: ${profile_name ?? 'unknown'} (${follower_count ?? '?'} followers)`)
  }
  return lines.join('\n')
}

export function describeCredentials(credentials: Credential[]): string {
  const byCategory = Object.groupBy(credentials, (c) => c.category)
  return Object.entries(byCategory)
    .map(([category, items = []]) => {
      const sum = items.reduce((acc, item) => acc + item.score, 0)
      const names = items.map((item) => (item.value ? `${item.name} [${item.value}]` : item.name))
      return `${category} (${sum}): ${names.join('; ')}`
    })
    .join('\n')
}
