export interface FarcasterUser {
  fid: number
  username: string
  display_name: string
  pfp_url: string
  follower_count: number
  profile: { bio: { text: string }; location?: { address?: { city?: string } } }
  verified_addresses: { eth_addresses: string[]; primary?: { eth_address: string | null } }
}

export async function userByFid(fid: number): Promise<FarcasterUser | undefined> {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { 'x-api-key': process.env.NEYNAR_API_KEY! },
  })
  if (!res.ok) throw new Error(`neynar ${res.status}`)
  const { users } = (await res.json()) as { users: FarcasterUser[] }
  return users[0]
}

export function walletsOf(user: FarcasterUser): string[] {
  const { primary, eth_addresses } = user.verified_addresses
  return [...new Set([primary?.eth_address, ...eth_addresses].filter((a): a is string => !!a))]
}
