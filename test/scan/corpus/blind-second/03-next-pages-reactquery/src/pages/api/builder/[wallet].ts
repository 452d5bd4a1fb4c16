import type { NextApiRequest, NextApiResponse } from 'next'
import { isAxiosError } from 'axios'
import { talentClient } from '../../../lib/talentClient'

export interface BuilderView {
  id: number
  name: string
  score: number
  human: boolean
  github: string | null
  badges: { name: string; score: number }[]
}

export default async function handler(
  req: NextApiRequest,
  res: NextApiResponse<BuilderView | { error: string }>,
) {
  const wallet = String(req.query.wallet)
  try {
    const [passportRes, credentialsRes] = await Promise.all([
      talentClient.get(`/passports/${wallet}`),
      talentClient.get('/passport_credentials', { params: { passport_id: wallet } }),
    ])
    const passport = passportRes.data.passport
    const github = passport.passport_socials?.find((s: any) => s.source === 'github')

    res.setHeader('Cache-Control', 's-maxage=600, stale-while-revalidate')
    res.status(200).json({
      id: passport.passport_id,
      name: passport.passport_profile?.display_name || 'Anonymous',
      score: passport.score,
      human: Boolean(passport.human_checkmark),
      github: github?.profile_url ?? null,
      badges: credentialsRes.data.passport_credentials
        .filter((c: any) => c.category === 'Skills')
        .map((c: any) => ({ name: c.name, score: c.score })),
    })
  } catch (e) {
    const status = isAxiosError(e) ? e.response?.status ?? 502 : 500
    res.status(status).json({ error: 'Could not load builder' })
  }
}
