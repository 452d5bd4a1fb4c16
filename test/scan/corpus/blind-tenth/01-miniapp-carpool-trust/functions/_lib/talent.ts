import type { TalentPassport } from '../../src/types'

export interface Env {
  TALENT_API_KEY: string
  NEYNAR_API_KEY: string
  RIDES: KVNamespace
}

const TALENT = 'https://api.talentprotocol.com/api/v1'

export async function passportOf(env: Env, wallet: string): Promise<TalentPassport | null> {
  const res = await fetch(`${TALENT}/passports/${wallet.toLowerCase()}`, {
    headers: { 'X-API-KEY': env.TALENT_API_KEY },
    cf: { cacheTtl: 600, cacheEverything: true },
  })
  if (!res.ok) {
    console.warn('talent', wallet, res.status)
    return null
  }
  const body = await res.json<{ passport?: TalentPassport }>()
  return body.passport ?? null
}

export async function walletsOfFid(env: Env, fid: number): Promise<string[]> {
  const res = await fetch(`https://api.neynar.com/v2/farcaster/user/bulk?fids=${fid}`, {
    headers: { 'x-api-key': env.NEYNAR_API_KEY },
  })
  if (!res.ok) throw new Error(`neynar ${res.status}`)
  const { users } = await res.json<{ users: { follower_count: number; verified_addresses: { eth_addresses: string[] } }[] }>()
  return users[0]?.verified_addresses.eth_addresses ?? []
}
