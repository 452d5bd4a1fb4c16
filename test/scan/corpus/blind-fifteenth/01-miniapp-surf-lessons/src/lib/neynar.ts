import { env } from '@/env'

export interface NeynarUser {
  fid: number
  username: string
  pfp_url: string
  follower_count: number
  profile: { bio: { text: string } }
  verified_addresses: { eth_addresses: string[]; primary: { eth_address: string | null } }
}

export async function getUserByFid(fid: number): Promise<NeynarUser> {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { 'x-api-key': env.NEYNAR_API_KEY },
  })
  if (!res.ok) throw new Error(`neynar ${res.status}`)
  const { users } = await res.json()
  return users[0]
}
