const HANDLE_SOURCES = ['farcaster', 'lens', 'twitter', 'github']

export const rules = [
  { id: 'not-human', weight: 40, test: (p) => !p.human_checkmark },
  { id: 'low-score', weight: 20, test: (p) => p.score < 15 },
  { id: 'no-identity', weight: 15, test: (p) => p.identity_score === 0 },
  { id: 'single-wallet', weight: 5, test: (p) => p.verified_wallets.length <= 1 },
  {
    id: 'no-handle',
    weight: 10,
    test: (p) => !p.passport_socials?.some((s) => HANDLE_SOURCES.includes(s.source)),
  },
  {
    id: 'follow-farm',
    weight: 10,
    test: (p) =>
      p.passport_socials?.some((s) => Number(s.following_count) > 2000 && Number(s.follower_count) < 20),
  },
  { id: 'empty-bio', weight: 5, test: ({ passport_profile: profile }) => !profile?.bio?.trim() },
]

export function judge(passport, types = new Set()) {
  const hits = rules.filter((rule) => rule.test(passport))
  let risk = hits.reduce((sum, rule) => sum + rule.weight, 0)
  if (types.has('gitcoin_passport') || types.has('world_id')) risk = Math.max(0, risk - 30)
  return { risk, reasons: hits.map((rule) => rule.id) }
}
