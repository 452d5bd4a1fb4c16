const NEYNAR = 'https://api.neynar.com/v2/farcaster'

export interface FarcasterUser {
  fid: number
  username: string
  display_name: string
  pfp_url: string
  follower_count: number
  custody_address: string
  verified_addresses: { eth_addresses: string[] }
  profile: { bio: { text: string }; location?: { address: { city: string } } }
  score: number
}

export async function userByFid(fid: number): Promise<FarcasterUser> {
  const res = await fetch(`${NEYNAR}/user/bulk?fids=${fid}`, {
    headers: { 'x-api-key': process.env.NEYNAR_API_KEY! },
  })
  if (!res.ok) throw new Error(`neynar ${res.status}`)
  const { users } = (await res.json()) as { users: FarcasterUser[] }
  if (!users[0]) throw new Error(`no user for fid ${fid}`)
  return users[0]
}
