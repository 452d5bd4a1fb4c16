import type { Passport } from './types'

export function followers(passport: Passport): number {
  return (passport.passport_socials ?? []).reduce((sum, s) => sum + Number(s.follower_count ?? 0), 0)
}

export function avatar(passport: Passport): string | undefined {
  const fc = passport.passport_socials?.find((s) => s.source === 'farcaster')
  return fc?.profile_image_url ?? undefined
}

export const displayName = ({ passport_profile, main_wallet }: Passport) =>
  passport_profile?.display_name || main_wallet
