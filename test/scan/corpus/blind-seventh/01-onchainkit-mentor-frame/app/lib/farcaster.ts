import { NEYNAR_KEY } from '../config'

type NeynarUser = {
  fid: number
  username: string
  follower_count: number
  profile: { bio: { text: string }; location?: { description: string } }
  verified_addresses: { eth_addresses: string[] }
}

export async function castStats(fid: number) {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { 'x-api-key': NEYNAR_KEY },
  })
  if (!res.ok) throw new Error(`neynar ${res.status}`)
  const { users } = (await res.json()) as { users: NeynarUser[] }
  const user = users[0]
  return {
    username: user.username,
    popular: user.follower_count > 500,
    bio: user.profile.bio.text,
  }
}
