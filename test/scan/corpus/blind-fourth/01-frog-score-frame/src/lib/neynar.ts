type NeynarUser = {
  fid: number
  display_name: string
  verified_addresses: { eth_addresses: string[] }
  profile: { bio: { text: string } }
}

export async function getUserByFid(fid: number): Promise<NeynarUser> {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { api_key: process.env.NEYNAR_API_KEY! },
  })
  if (!res.ok) throw new Error(`neynar ${res.status}`)
  const { users } = await res.json()
  return users[0]
}
