export type Card = {
  id: number
  title: string
  about: string
  points: number
  isHuman: boolean
  walletCount: number
  links: { network: string; href: string; followers: number }[]
  badges: { label: string; detail: string }[]
}

export function toCard(passport: any, credentials: any[]): Card {
  const profile = passport.passport_profile
  return {
    id: passport.passport_id,
    title: profile?.display_name || 'Anonymous',
    about: profile?.bio ?? '',
    points: passport.score,
    isHuman: Boolean(passport.human_checkmark),
    walletCount: passport.verified_wallets?.length ?? 0,
    links: (passport.passport_socials ?? []).map((social: any) => ({
      network: social.source,
      href: social.profile_url,
      followers: parseInt(social.follower_count || '0', 10),
    })),
    badges: credentials
      .filter((c) => c.score > 0)
      .map((c) => ({ label: c.name, detail: c.value })),
  }
}

export function initials(card: Card) {
  return card.title
    .split(' ')
    .map((s) => s[0])
    .join('')
    .slice(0, 2)
}
