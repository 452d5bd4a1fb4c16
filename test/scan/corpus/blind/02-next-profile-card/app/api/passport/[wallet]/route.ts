import { NextRequest, NextResponse } from 'next/server'
import { toCard } from '@/lib/card'

export const revalidate = 3600

export async function GET(_req: NextRequest, { params }: { params: { wallet: string } }) {
  const { wallet } = params
  if (!/^0x[a-fA-F0-9]{40}$/.test(wallet)) {
    return NextResponse.json({ error: 'Invalid wallet' }, { status: 400 })
  }

  const init = {
    headers: { 'X-API-KEY': process.env.TALENT_API_KEY! },
    next: { revalidate: 3600 },
  }

  const [passportRes, credentialsRes] = await Promise.all([
    fetch(`${process.env.TALENT_API_BASE_URL}/passports/${wallet}`, init),
    fetch(`${process.env.TALENT_API_BASE_URL}/passport_credentials?passport_id=${wallet}`, init),
  ])

  if (passportRes.status === 404) {
    return NextResponse.json({ error: 'No passport' }, { status: 404 })
  }
  if (!passportRes.ok) {
    return NextResponse.json({ error: 'Upstream error' }, { status: 502 })
  }

  const { passport } = await passportRes.json()
  const credentials = credentialsRes.ok ? (await credentialsRes.json()).passport_credentials : []

  return NextResponse.json(toCard(passport, credentials))
}
