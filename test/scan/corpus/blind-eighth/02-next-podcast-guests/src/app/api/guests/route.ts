import { NextRequest, NextResponse } from 'next/server'
import { talentFetch, UpstreamError } from '@/lib/talent-server'
import type { GuestSearch } from '@/lib/types'

export async function GET(req: NextRequest) {
  const q = req.nextUrl.searchParams.get('q') ?? ''
  const page = req.nextUrl.searchParams.get('page') ?? '1'
  try {
    const data = await talentFetch<GuestSearch>(`/passports?keyword=${encodeURIComponent(q)}&page=${page}`)
    return NextResponse.json(data)
  } catch (e) {
    const status = e instanceof UpstreamError ? e.status : 502
    return NextResponse.json({ error: 'search is down' }, { status })
  }
}
