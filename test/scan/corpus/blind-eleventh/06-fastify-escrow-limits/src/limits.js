const TIERS = [
  { name: 'gold', min: 120, limit: 50_000 },
  { name: 'silver', min: 60, limit: 10_000 },
  { name: 'bronze', min: 20, limit: 1_000 },
]
const BASE = { name: 'none', min: 0, limit: 100 }

const MONTH = 30 * 24 * 3600 * 1000

const RULES = [
  { id: 'human', factor: 1.5, test: (p) => p.human_checkmark },
  { id: 'wallets', factor: 1.1, test: (p) => p.verified_wallets?.length > 1 },
  { id: 'stale', factor: 0.5, test: (p) => Date.now() - Date.parse(p.last_calculated_at) > 3 * MONTH },
  { id: 'merged', factor: 0, test: ({ merged }) => merged === true },
]

export function limitFor(passport, credentials = []) {
  if (!passport) return { tier: BASE.name, limit: BASE.limit, rules: [] }
  const tier = TIERS.find(({ min }) => passport.score >= min) ?? BASE
  const rules = RULES.filter((rule) => rule.test(passport))
  const factor = rules.reduce((f, rule) => f * rule.factor, 1)
  return {
    tier: tier.name,
    limit: Math.floor(tier.limit * factor) + bonus(credentials),
    rules: rules.map((r) => r.id),
  }
}

function bonus(credentials) {
  let sum = 0
  for (const { category, score, max_score: max } of credentials) {
    if (category === 'Identity' && score === max) sum += 250
  }
  return sum
}
