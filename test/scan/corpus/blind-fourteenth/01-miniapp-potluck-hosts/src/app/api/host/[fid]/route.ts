import { NextResponse } from 'next/server'
import { getUser } from '@/lib/neynar'
import { getBestPassport } from '@/lib/talent'

const MIN_SCORE = 40

export async function GET(_req: Request, { params }: { params: Promise<{ fid: string }> }) {
  const { fid } = await params
  const user = await getUser(fid)
  const passport = await getBestPassport(user.verified_addresses.eth_addresses)

  return NextResponse.json({
    user: {
      username: user.username,
      display_name: user.display_name,
      pfp_url: user.pfp_url,
      followers: user.follower_count,
    },
    passport: passport ?? null,
    canHost: !!passport && (passport.human_checkmark || passport.score >= MIN_SCORE),
  })
}
