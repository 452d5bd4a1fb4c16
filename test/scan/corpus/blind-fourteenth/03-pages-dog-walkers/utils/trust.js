const DAY = 24 * 60 * 60 * 1000

const isFresh = (iso) => Boolean(iso) && Date.now() - new Date(iso).getTime() < 90 * DAY

// 0..5 paws
export function toPaws(passport, credentials) {
  let paws = 0
  if (passport.score > 30) paws += 1
  if (passport.score > 70) paws += 1
  if (passport.human_checkmark) paws += 1
  if (isFresh(passport.last_calculated_at)) paws += 1
  if (credentials.some((c) => c.type === 'active_wallet' && c.score > 0)) paws += 1
  return paws
}

export const activeSince = (credentials) =>
  credentials
    .map((c) => c.earned_at)
    .filter(Boolean)
    .sort()[0] ?? null
