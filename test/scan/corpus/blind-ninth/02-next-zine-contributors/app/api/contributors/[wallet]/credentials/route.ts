import { NextResponse, type NextRequest } from 'next/server'
import { getCredentials } from '@/lib/talent'

export async function GET(_req: NextRequest, { params }: { params: Promise<{ wallet: string }> }) {
  const { wallet } = await params
  try {
    const data = await getCredentials(wallet)
    return NextResponse.json(data, { headers: { 'Cache-Control': 's-maxage=600' } })
  } catch (err) {
    console.error('credentials', wallet, err)
    return NextResponse.json({ passport_credentials: [] })
  }
}
