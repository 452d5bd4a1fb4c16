interface NeynarUser {
  fid: number
  username: string
  display_name: string
  pfp_url: string
  follower_count: number
  score?: number
  verified_addresses: { eth_addresses: string[] }
}

export async function userByFid(fid: number): Promise<NeynarUser> {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { 'x-api-key': process.env.NEYNAR_API_KEY! },
  })
  if (!res.ok) throw new Error(`neynar ${res.status}`)
  const { users } = await res.json()
  if (!users?.length) throw new Error(`no farcaster user ${fid}`)
  return users[0]
}
