import { NextRequest, NextResponse } from 'next/server'
import { searchPassports } from '@/lib/talent'
import type { LadderRow } from '@/lib/types'

export async function GET(req: NextRequest) {
  const q = req.nextUrl.searchParams.get('q') ?? ''
  const passports = await searchPassports(q)

  const rows: LadderRow[] = passports
    .filter((p) => p.human_checkmark && p.score > 20)
    .sort((a, b) => b.score - a.score)
    .map((p) => ({
      id: p.passport_id,
      name: p.passport_profile?.display_name || 'Anonymous',
      score: p.score,
      wallet: p.main_wallet ?? p.verified_wallets[0],
    }))

  return NextResponse.json({ rows })
}
