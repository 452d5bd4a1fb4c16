import { NextRequest, NextResponse } from 'next/server'
import { env } from '@/lib/env'

export async function GET(_req: NextRequest, { params }: { params: { id: string } }) {
  const res = await fetch(`${env.talentBaseUrl}/api/v1/passports/${params.id}`, {
    headers: { 'X-API-KEY': env.talentKey },
    next: { revalidate: env.revalidate },
  })

  if (res.status === 404) {
    return NextResponse.json({ error: 'No passport for this wallet' }, { status: 404 })
  }
  if (!res.ok) {
    return NextResponse.json({ error: 'Upstream error' }, { status: 502 })
  }

  const { passport } = await res.json()
  return NextResponse.json(passport)
}
