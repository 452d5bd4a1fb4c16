import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createClient, Errors } from '@farcaster/quick-auth'
import { allowanceFor, explain } from './allowance'
import { fetchPassport, fetchStamps } from './talent'
import { primaryAddress } from './neynar'

const app = new Hono<{ Variables: { fid: number } }>()
const auth = createClient()
const domain = process.env.APP_DOMAIN ?? 'tips.example.xyz'

app.use('/api/*', async (c, next) => {
  const header = c.req.header('Authorization')
  if (!header?.startsWith('Bearer ')) return c.json({ error: 'missing token' }, 401)
  try {
    const payload = await auth.verifyJwt({ token: header.slice(7), domain })
    c.set('fid', Number(payload.sub))
  } catch (e) {
    if (e instanceof Errors.InvalidTokenError) return c.json({ error: 'bad token' }, 401)
    throw e
  }
  await next()
})

app.get('/api/allowance', async (c) => {
  const fid = c.get('fid')
  const { address, follower_count } = await primaryAddress(fid)
  if (!address) return c.json({ daily: 0, reasons: ['No verified address'], followers: follower_count })

  const passport = await fetchPassport(address)
  if (!passport) {
    return c.json({ daily: 10, reasons: ['No builder passport yet'], followers: follower_count })
  }

  const stamps = await fetchStamps(passport.passport_id)
  return c.json({
    daily: allowanceFor(passport, stamps),
    reasons: explain(passport, stamps),
    name: passport.passport_profile?.display_name || `fid:${fid}`,
    recalculating: passport.calculating_score,
    followers: follower_count,
  })
})

app.get('/.well-known/farcaster.json', (c) =>
  c.json({
    accountAssociation: {
      header: process.env.FC_HEADER,
      payload: process.env.FC_PAYLOAD,
      signature: process.env.FC_SIGNATURE,
    },
    miniapp: {
      version: '1',
      name: 'Tip allowance',
      homeUrl: `https://${domain}`,
      iconUrl: `https://${domain}/icon.png`,
    },
  }),
)

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8787) })
