type NeynarUser = {
  fid: number
  username: string
  follower_count: number
  score?: number
  verified_addresses: { eth_addresses: string[]; primary: { eth_address: string | null } }
}

export async function primaryAddress(fid: number) {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { 'x-api-key': process.env.NEYNAR_API_KEY! },
  })
  if (!res.ok) throw new Error(`neynar ${res.status}`)
  const { users } = (await res.json()) as { users: NeynarUser[] }
  const user = users[0]
  // spam accounts have a very low neynar score
  if (!user || (user.score ?? 1) < 0.3) return { address: null, follower_count: 0 }
  return {
    address: user.verified_addresses.primary.eth_address ?? user.verified_addresses.eth_addresses[0] ?? null,
    follower_count: user.follower_count,
  }
}
