import { NextRequest, NextResponse } from 'next/server'

const TALENT_API = process.env.TALENT_PROTOCOL_API

export async function GET(_req: NextRequest, { params }: { params: { address: string } }) {
  try {
    const response = await fetch(`${TALENT_API}/api/v1/passports/${params.address}`, {
      headers: { 'X-API-KEY': process.env.TALENT_API_KEY as string },
    })
    if (!response.ok) {
      return NextResponse.json({ error: 'Passport not found' }, { status: response.status })
    }
    const data = await response.json()
    return NextResponse.json(data.passport)
  } catch (error) {
    return NextResponse.json({ error: 'Internal error' }, { status: 500 })
  }
}
