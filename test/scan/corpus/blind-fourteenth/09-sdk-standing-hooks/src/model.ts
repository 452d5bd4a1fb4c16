import type { RawCredential, RawPassport } from './schema'

export interface Member {
  id: number
  name: string
  bio?: string
  score: number
  human: boolean
  wallets: `0x${string}`[]
  updatedAt?: Date
  tags: string[]
}

export interface Merit {
  id: string
  name: string
  type: string
  ratio: number
}

export const toMember = (raw: RawPassport): Member => ({
  id: raw.passport_id,
  name: raw.passport_profile?.display_name ?? `Member ${raw.passport_id}`,
  bio: raw.passport_profile?.bio ?? undefined,
  score: raw.score,
  human: raw.human_checkmark,
  wallets: raw.verified_wallets as `0x${string}`[],
  updatedAt: raw.last_calculated_at ? new Date(raw.last_calculated_at) : undefined,
  tags: raw.passport_profile?.tags ?? [],
})

export function toMerit({ id, name, type, score, max_score = score }: RawCredential): Merit {
  return { id, name, type, ratio: max_score ? score / max_score : 0 }
}
