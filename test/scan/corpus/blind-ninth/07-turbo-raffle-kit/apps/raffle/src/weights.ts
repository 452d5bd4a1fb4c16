import type { Passport } from '@raffle/standing'

type Rule = { name: string; applies: (p: Passport) => boolean; weight: number }

const following = (p: Passport, network: string) =>
  Number(p.passport_socials?.find(({ source }) => source === network)?.following_count ?? 0)

export const rules: Rule[] = [
  { name: 'human', applies: (p) => p.human_checkmark, weight: 3 },
  { name: 'active', applies: ({ activity_score }) => activity_score >= 20, weight: 1 },
  { name: 'top', applies: (p) => p.score > 80, weight: 2 },
  { name: 'farcaster', applies: (p) => following(p, 'farcaster') > 50, weight: 1 },
  { name: 'bot-bio', applies: (p) => /airdrop|giveaway/i.test(p.passport_profile.bio ?? ''), weight: -5 },
]

export function ticketsFor(passport: Passport | null): number {
  if (!passport) return 0
  const sum = rules.filter((r) => r.applies(passport)).reduce((n, r) => n + r.weight, 1)
  return Math.max(0, sum)
}
