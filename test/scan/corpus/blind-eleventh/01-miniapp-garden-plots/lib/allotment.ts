import type { FarcasterUser } from './neynar'
import type { TalentPassport } from './talent'

export interface Application {
  fid: number
  name: string
  city: string | null
  priority: number
  gardener: boolean
  reasons: string[]
}

const GREEN_TAGS = new Set(['permaculture', 'gardening', 'climate', 'regen'])

export function assess(user: FarcasterUser, passport: TalentPassport | null): Application {
  const reasons: string[] = []
  let priority = Math.min(user.follower_count / 100, 10)
  if (passport?.human_checkmark) {
    priority += 20
    reasons.push('verified human')
  }
  const score = passport?.score ?? 0
  if (score > 60) reasons.push(`reputation ${score}`)
  priority += score / 4

  const profile = passport?.passport_profile
  const gardener = (profile?.tags ?? []).some((tag) => GREEN_TAGS.has(tag.toLowerCase()))
  if (gardener) priority += 15

  return {
    fid: user.fid,
    name: profile?.display_name || user.display_name,
    city: profile?.location ?? user.profile.location?.address?.city ?? null,
    priority: Math.round(priority),
    gardener,
    reasons,
  }
}
