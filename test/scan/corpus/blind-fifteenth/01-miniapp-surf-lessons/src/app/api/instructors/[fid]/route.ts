import { NextResponse } from 'next/server'
import { Redis } from '@upstash/redis'
import { getUserByFid } from '@/lib/neynar'
import { getTalentPassport } from '@/lib/talent'

const redis = Redis.fromEnv()
const MIN_SCORE = 35

export async function GET(_req: Request, { params }: { params: Promise<{ fid: string }> }) {
  const { fid } = await params
  const user = await getUserByFid(Number(fid))
  const address = user.verified_addresses.primary.eth_address ?? user.verified_addresses.eth_addresses[0]
  if (!address) {
    return NextResponse.json({ error: 'no_wallet' }, { status: 422 })
  }

  const [passport, lessons] = await Promise.all([
    getTalentPassport(address),
    redis.get<number>(`lessons:${fid}`),
  ])

  const trusted = !!passport && (passport.human_checkmark || passport.score >= MIN_SCORE)

  return NextResponse.json({
    fid: user.fid,
    username: user.username,
    avatar: user.pfp_url,
    followers: user.follower_count,
    lessons: lessons ?? 0,
    trusted,
    passport,
  })
}
