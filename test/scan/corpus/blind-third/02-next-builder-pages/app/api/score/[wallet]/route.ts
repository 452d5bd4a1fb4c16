import { NextResponse } from 'next/server'
import { getPassport } from '@/lib/talent'

export async function GET(_req: Request, { params }: { params: { wallet: string } }) {
  const passport = await getPassport(params.wallet)
  return NextResponse.json({
    score: passport?.score ?? 0,
    wallets: passport?.verified_wallets ?? [],
  })
}
