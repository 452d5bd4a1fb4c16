import axios from 'axios'

export interface FarcasterUser {
  fid: number
  username: string
  display_name: string
  follower_count: number
  following_count: number
  pfp_url: string
  verified_addresses: { eth_addresses: string[] }
}

export async function getFarcasterUser(fid: number): Promise<FarcasterUser> {
  const res = await axios.get('https://api.neynar.com/v2/farcaster/user/bulk', {
    params: { fids: fid },
    headers: { api_key: process.env.NEYNAR_API_KEY },
  })
  const user = res.data.users[0]
  if (!user) throw new Error(`no user for fid ${fid}`)
  return user
}
