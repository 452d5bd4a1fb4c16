import { NextResponse } from 'next/server'
import { getScore, getStamps, submitPassport } from '@/lib/passport'

type Params = { params: { address: string } }

export async function GET(_req: Request, { params }: Params) {
  try {
    const [passport, credentials] = await Promise.all([getScore(params.address), getStamps(params.address)])
    return NextResponse.json({
      score: Number(passport.score ?? 0),
      calculating: passport.status === 'PROCESSING',
      last_calculated_at: passport.last_score_timestamp,
      credentials: credentials.map((c) => ({
        name: c.metadata?.name ?? c.credential.credentialSubject.provider,
        category: c.metadata?.group ?? 'Other',
        earned_at: c.credential.issuanceDate,
      })),
    })
  } catch (err) {
    return NextResponse.json({ score: 0, credentials: [] })
  }
}

export async function POST(_req: Request, { params }: Params) {
  const passport = await submitPassport(params.address)
  return NextResponse.json({ status: passport.status })
}
