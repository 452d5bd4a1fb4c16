import { NextRequest, NextResponse } from 'next/server'
import { env } from '@/lib/env'
import type { Credential } from '@/lib/types'

export async function GET(req: NextRequest) {
  const id = req.nextUrl.searchParams.get('id')
  if (!id) return NextResponse.json({ error: 'id is required' }, { status: 400 })

  const url = new URL('/api/v1/passport_credentials', env.talentBaseUrl)
  url.searchParams.set('passport_id', id)

  const res = await fetch(url, { headers: { 'X-API-KEY': env.talentKey } })
  const data = await res.json()
  const credentials: Credential[] = data.passport_credentials ?? []

  const earned = credentials
    .filter((c) => c.score > 0)
    .sort((a, b) => b.score - a.score)
  return NextResponse.json(earned)
}
