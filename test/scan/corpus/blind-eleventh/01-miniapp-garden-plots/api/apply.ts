import { createClient } from '@farcaster/quick-auth'
import { kv } from '@vercel/kv'
import type { VercelRequest, VercelResponse } from '@vercel/node'
import { assess } from '../lib/allotment'
import { userByFid, walletsOf } from '../lib/neynar'
import { bestPassport } from '../lib/talent'

const auth = createClient()

export default async function handler(req: VercelRequest, res: VercelResponse) {
  const token = req.headers.authorization?.replace('Bearer ', '')
  if (!token) return res.status(401).json({ error: 'sign in first' })
  const { sub } = await auth.verifyJwt({ token, domain: process.env.APP_DOMAIN! })

  const user = await userByFid(Number(sub))
  if (!user) return res.status(404).json({ error: 'no such user' })

  const passport = await bestPassport(walletsOf(user))
  if (passport?.calculating_score) {
    return res.status(202).json({ retryIn: 60 })
  }
  const application = assess(user, passport)
  await kv.zadd('plots:waitlist', { score: application.priority, member: String(user.fid) })
  const rank = await kv.zrevrank('plots:waitlist', String(user.fid))
  return res.json({ application, rank, wallets: passport?.verified_wallets.length ?? 0 })
}
