import type { Passport } from './client'

export { createStanding, StandingError, type Passport, type Standing, type StandingOptions } from './client'

export function ownsWallet(passport: Passport, wallet: string): boolean {
  const needle = wallet.toLowerCase()
  return (
    passport.main_wallet?.toLowerCase() === needle ||
    passport.verified_wallets.some((w) => w.toLowerCase() === needle)
  )
}

export const label = (passport: Passport): string =>
  passport.passport_profile.display_name || passport.main_wallet || `passport ${passport.passport_id}`
