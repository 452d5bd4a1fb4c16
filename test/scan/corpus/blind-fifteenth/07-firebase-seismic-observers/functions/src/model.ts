import type { RawObserver } from './observers.js'

export interface ObserverDoc {
  name: string
  place: string | null
  wallets: string[]
  weight: number
  score: number
  updatedAt: string | null
}

export const usable = (raw: RawObserver) => !raw.calculating_score && raw.passport_id !== null

export function toDoc(raw: RawObserver, points: number): ObserverDoc {
  const score = raw.score ?? 0
  return {
    name: raw.passport_profile?.display_name ?? 'Anonymous observer',
    place: raw.passport_profile?.location ?? null,
    wallets: [raw.main_wallet, ...raw.verified_wallets].filter((w): w is string => !!w),
    weight: (raw.human_checkmark ? 1 : 0.25) * Math.log2(2 + score + points) + raw.identity_score / 100,
    score,
    updatedAt: raw.last_calculated_at,
  }
}
