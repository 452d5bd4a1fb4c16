import { passportByWallet, type TalentPassport } from './talent'

export interface LenderTrust {
  level: 'new' | 'known' | 'trusted'
  points: number
  name: string
  city: string | null
  human: boolean
  links: { label: string; href: string }[]
}

const KNOWN = 25
const TRUSTED = 60

function levelFor(points: number): LenderTrust['level'] {
  if (points >= TRUSTED) return 'trusted'
  return points >= KNOWN ? 'known' : 'new'
}

const linksOf = ({ passport_socials }: TalentPassport) =>
  passport_socials
    .filter((s) => s.profile_url)
    .slice(0, 3)
    .map((s) => ({ label: `${s.source}/${s.profile_name ?? '?'}`, href: s.profile_url! }))

export async function trustForWallets(wallets: string[]): Promise<LenderTrust> {
  const results = await Promise.all(wallets.map((w) => passportByWallet(w).catch(() => null)))
  const unique = new Map<number, TalentPassport>()
  for (const p of results) if (p) unique.set(p.passport_id, p)

  const [best] = [...unique.values()].sort((a, b) => b.score - a.score)
  if (!best) return { level: 'new', points: 0, name: '', city: null, human: false, links: [] }

  return {
    level: levelFor(best.score),
    points: Math.round(best.score),
    name: best.passport_profile?.display_name ?? '',
    city: best.passport_profile?.location ?? null,
    human: best.human_checkmark,
    links: linksOf(best),
  }
}
