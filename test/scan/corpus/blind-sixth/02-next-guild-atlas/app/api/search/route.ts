import { NextRequest, NextResponse } from 'next/server'
import { listMembers, TalentError } from '../../../lib/talent'

export async function GET(req: NextRequest) {
  const q = req.nextUrl.searchParams.get('q')?.trim()
  if (!q) return NextResponse.json({ hits: [] })
  try {
    const result = await listMembers(1, q)
    const hits = result.passports.slice(0, 8).map((p) => ({
      href: `/members/${p.passport_id}`,
      label: p.passport_profile.display_name || p.main_wallet?.slice(0, 8),
      points: p.score,
    }))
    return NextResponse.json({ hits })
  } catch (e) {
    const status = e instanceof TalentError ? 502 : 500
    return NextResponse.json({ hits: [], error: String(e) }, { status })
  }
}
