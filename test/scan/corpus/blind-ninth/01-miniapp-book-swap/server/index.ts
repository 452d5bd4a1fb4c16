import { serve } from '@hono/node-server'
import { createClient } from '@farcaster/quick-auth'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { userByFid } from './neynar'
import { trustForWallets } from './trust'

const quickAuth = createClient()
const domain = process.env.MINIAPP_DOMAIN ?? 'shelfshare.xyz'

const auth = createMiddleware<{ Variables: { fid: number } }>(async (c, next) => {
  const header = c.req.header('Authorization')
  if (!header?.startsWith('Bearer ')) return c.json({ error: 'missing token' }, 401)
  const payload = await quickAuth.verifyJwt({ token: header.slice(7), domain })
  c.set('fid', Number(payload.sub))
  await next()
})

const app = new Hono()

app.get('/api/me', auth, async (c) => {
  const user = await userByFid(c.get('fid'))
  const wallets = [...user.verified_addresses.eth_addresses, user.custody_address]
  const trust = await trustForWallets(wallets)
  return c.json({
    fid: user.fid,
    handle: user.username,
    name: trust.name || user.display_name,
    city: trust.city ?? user.profile.location?.address.city ?? null,
    followers: user.follower_count,
    spamScore: user.score,
    trust,
    maxLoans: trust.level === 'trusted' ? 5 : trust.human ? 2 : 1,
  })
})

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8787) })
