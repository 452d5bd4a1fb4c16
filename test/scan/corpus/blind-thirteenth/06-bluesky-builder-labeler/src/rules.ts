import type { Dossier } from './reputation.js'

export interface Rule {
  label: string
  name: string
  when: (d: Dossier, handle: string) => boolean
}

const DAY = 24 * 60 * 60 * 1000

export const RULES: Rule[] = [
  {
    label: 'builder',
    name: 'Builder',
    when: ({ passport }) => passport.score >= 40 && !passport.merged,
  },
  {
    label: 'builder-pro',
    name: 'Seasoned builder',
    when: ({ passport: { score, skills_score } }) => score >= 80 && skills_score >= 30,
  },
  {
    label: 'human',
    name: 'Human, checked',
    when: ({ passport, credentials }) =>
      passport.human_checkmark || credentials.some((c) => c.category === 'Identity' && c.value === 'Verified'),
  },
  {
    label: 'multi-wallet',
    name: 'Several wallets',
    when: (d) => d.passport.verified_wallets.length > 3,
  },
  {
    label: 'active-onchain',
    name: 'Active on chain',
    when: ({ credentials }) => {
      const active = credentials.find(({ type }) => type === 'active_wallet')
      if (!active?.last_calculated_at) return false
      return Date.now() - new Date(active.last_calculated_at).getTime() < 45 * DAY
    },
  },
  {
    label: 'same-handle',
    name: 'Same handle elsewhere',
    when: ({ passport }, handle) =>
      passport.passport_socials.some((s) => s.profile_name === handle.split('.')[0] && Number(s.follower_count) > 100),
  },
]

export function evaluate(d: Dossier, handle: string): Set<string> {
  return new Set(RULES.filter((rule) => rule.when(d, handle)).map((rule) => rule.label))
}
