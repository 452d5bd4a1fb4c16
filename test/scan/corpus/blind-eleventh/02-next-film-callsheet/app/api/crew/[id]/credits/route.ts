import { NextResponse } from 'next/server'
import { getCredits } from '@/lib/reputation'

export async function GET(_req: Request, { params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  try {
    const credits = await getCredits(id)
    const rows = credits
      .filter((c) => c.category === 'Skills')
      .map((c) => ({ key: c.id, label: c.name, note: c.value, year: c.earned_at?.slice(0, 4) ?? null }))
    return NextResponse.json({ rows })
  } catch {
    return NextResponse.json({ rows: [] })
  }
}
