// Neynar: fid -> verified wallets
type NeynarUser = {
  fid: number
  username: string
  follower_count: number
  profile?: { bio?: { text: string } }
  verified_addresses: { eth_addresses: string[] }
}

export async function getUser(fid: number): Promise<NeynarUser> {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { api_key: process.env.NEYNAR_API_KEY! },
  })
  if (!res.ok) throw new Error(`neynar ${res.status}`)
  const { users } = await res.json()
  return users[0]
}

export function describe(user: NeynarUser) {
  return `@${user.username} · ${user.follower_count} followers`
}
