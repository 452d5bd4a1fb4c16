import { createClient, Errors } from '@farcaster/quick-auth'
import { Hono } from 'hono'
import { handle } from 'hono/vercel'
import { userByFid } from './_neynar'
import { findPassport, topCredentials } from './_talent'
import { levelFor } from '../src/lib/levels'
import type { RankCard } from '../src/lib/types'

const auth = createClient()
const app = new Hono().basePath('/api')

app.get('/rank', async (c) => {
  const header = c.req.header('Authorization')
  if (!header?.startsWith('Bearer ')) return c.json({ error: 'missing token' }, 401)

  let fid: number
  try {
    const payload = await auth.verifyJwt({ token: header.slice(7), domain: process.env.HOSTNAME! })
    fid = Number(payload.sub)
  } catch (e) {
    if (e instanceof Errors.InvalidTokenError) return c.json({ error: 'bad token' }, 401)
    throw e
  }

  const user = await userByFid(fid)
  const passport = await findPassport(user.verified_addresses.eth_addresses)
  const score = passport?.score ?? 0
  const badges = passport ? await topCredentials(passport.passport_id) : []

  const farcaster = passport?.passport_socials?.find((s) => s.source === 'farcaster')
  const github = passport?.passport_socials?.find((s) => s.source === 'github')

  const card: RankCard = {
    fid,
    name: passport?.passport_profile?.display_name || user.display_name,
    avatar: user.pfp_url,
    followers: user.follower_count,
    score,
    level: levelFor(score).title,
    human: passport?.human_checkmark ?? false,
    pending: Boolean(passport?.calculating_score),
    parts: {
      activity: passport?.activity_score ?? 0,
      identity: passport?.identity_score ?? 0,
      skills: passport?.skills_score ?? 0,
    },
    wallets: passport?.verified_wallets.length ?? 0,
    github: github?.profile_url ?? null,
    talentFollowers: parseInt(farcaster?.follower_count ?? '0', 10),
    badges: badges.map((b) => ({ id: b.id, label: b.name, points: b.score })),
  }
  return c.json(card)
})

app.onError((err, c) => {
  console.error(err)
  return c.json({ error: 'something broke' }, 502)
})

export const GET = handle(app)
