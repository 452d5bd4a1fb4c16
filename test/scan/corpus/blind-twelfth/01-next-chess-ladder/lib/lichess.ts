import type { LichessUser } from './types'

export async function getLichessUser(username: string): Promise<LichessUser> {
  const res = await fetch(`https://lichess.org/api/user/${username}`, { next: { revalidate: 600 } })
  if (!res.ok) throw new Error(`lichess ${res.status}`)
  return res.json()
}

export function bestRating(user: LichessUser) {
  return Math.max(user.perfs.blitz?.rating ?? 0, user.perfs.rapid?.rating ?? 0)
}
