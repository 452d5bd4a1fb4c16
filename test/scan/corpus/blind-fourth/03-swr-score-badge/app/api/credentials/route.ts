import { NextRequest, NextResponse } from 'next/server'

export async function GET(req: NextRequest) {
  const passportId = req.nextUrl.searchParams.get('passportId')
  if (!passportId) return NextResponse.json({ error: 'passportId missing' }, { status: 400 })

  const query = new URLSearchParams({ passport_id: passportId })
  const res = await fetch(`${process.env.TALENT_PROTOCOL_API}/api/v1/passport_credentials?${query}`, {
    headers: { 'X-API-KEY': process.env.TALENT_API_KEY as string },
  })
  const { passport_credentials = [] } = await res.json()

  const badges = passport_credentials
    .filter((c: any) => c.score > 0)
    .map(({ name, type, score, max_score: max }: any) => ({
      name,
      icon: `/badges/${type}.svg`,
      ratio: max ? score / max : 0,
    }))
  return NextResponse.json({ badges })
}
