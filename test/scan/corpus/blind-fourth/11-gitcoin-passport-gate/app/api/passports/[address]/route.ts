import { NextResponse } from 'next/server'
import { getCredentials, getPassportScore } from '@/lib/passport'

export async function GET(_: Request, { params }: { params: { address: string } }) {
  const [score, credentials] = await Promise.all([
    getPassportScore(params.address),
    getCredentials(params.address),
  ])
  return NextResponse.json({
    passport: {
      score,
      human: score >= 20,
      credentials: credentials.map((c) => ({
        name: c.metadata?.name ?? c.credential.credentialSubject.provider,
        type: c.credential.type[0],
        earned: c.credential.issuanceDate,
      })),
    },
  })
}
