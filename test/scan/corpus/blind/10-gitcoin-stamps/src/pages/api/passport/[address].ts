import type { NextApiRequest, NextApiResponse } from 'next'
import { getScore, getStamps, submitPassport } from '../../../scorer'

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const address = String(req.query.address)
  let passport = await getScore(address)
  if (!passport || passport.status !== 'DONE') {
    passport = await submitPassport(address)
  }
  const stamps = await getStamps(address)
  res.setHeader('Cache-Control', 's-maxage=60')
  res.json({
    passport: {
      address: passport.address,
      score: passport.score,
      updated: passport.last_score_timestamp,
      stamps: stamps.map((s) => s.credential.credentialSubject.provider),
    },
  })
}
