export interface NeynarUser {
  fid: number
  username: string
  display_name: string
  pfp_url: string
  follower_count: number
  verified_addresses: { eth_addresses: string[] }
  score: number
}

export async function getUser(fid: string): Promise<NeynarUser> {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { 'x-api-key': process.env.NEYNAR_API_KEY! },
  })
  if (!res.ok) throw new Error(`neynar ${res.status}`)
  const { users } = await res.json()
  return users[0]
}
