import type { Passport } from './schema'

export type ProfileView = {
  id: number
  name: string
  about: string
  score: number
  location?: string
  isHuman: boolean
  wallets: string[]
  links: { label: string; href: string; followers: number }[]
}

const short = (a: string) => `${a.slice(0, 6)}…${a.slice(-4)}`

export function toProfileView(p: Passport): ProfileView {
  const { passport_profile: profile, passport_socials: socials = [] } = p
  return {
    id: p.passport_id,
    name: profile?.display_name ?? (p.main_wallet ? short(p.main_wallet) : 'Anonymous'),
    about: profile?.bio ?? '',
    score: p.score,
    location: profile?.location,
    isHuman: p.human_checkmark,
    wallets: p.verified_wallets.map(short),
    links: socials
      .filter((s) => s.profile_url)
      .map((s) => ({
        label: s.profile_name ? `${s.source}/${s.profile_name}` : s.source,
        href: s.profile_url!,
        followers: s.follower_count ?? 0,
      })),
  }
}
