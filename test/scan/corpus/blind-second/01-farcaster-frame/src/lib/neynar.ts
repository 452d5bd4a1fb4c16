export type FarcasterUser = {
  fid: number
  username: string
  display_name: string
  follower_count: number
  following_count: number
  profile: { bio: { text: string } }
  verified_addresses: { eth_addresses: string[] }
}

export async function getUser(fid: number): Promise<FarcasterUser> {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { accept: 'application/json', api_key: process.env.NEYNAR_API_KEY ?? '' },
  })
  if (!res.ok) throw new Error(`neynar: ${res.status}`)
  const { users } = (await res.json()) as { users: FarcasterUser[] }
  return users[0]
}
