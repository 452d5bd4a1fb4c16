import { Hono } from 'hono'
import { cache } from 'hono/cache'
import { createTalentClient, TalentError, type Passport } from '@guild/talent-client'

type Env = { TALENT_URL: string; TALENT_KEY: string }
const app = new Hono<{ Bindings: Env }>()

const client = (env: Env) => createTalentClient({ baseUrl: env.TALENT_URL, apiKey: env.TALENT_KEY })

function toMember(p: Passport) {
  return {
    id: p.passport_id,
    name: p.passport_profile?.display_name ?? p.main_wallet ?? 'Anonymous',
    city: p.passport_profile?.location ?? null,
    score: p.score,
    verified: p.human_checkmark,
  }
}

app.get('/members/:wallet', cache({ cacheName: 'members', cacheControl: 'max-age=300' }), async (c) => {
  const passport = await client(c.env).passport(c.req.param('wallet'))
  return c.json(toMember(passport))
})

app.get('/members/:wallet/score', async (c) => {
  let score = 0
  try {
    const passport = await client(c.env).passport(c.req.param('wallet'))
    score = passport.score
  } catch (e) {
    console.log('score lookup failed', e)
  }
  return c.json({ score })
})

app.get('/members/:wallet/badges', async (c) => {
  const list = await client(c.env).credentials(c.req.param('wallet'))
  const badges = list
    .filter((cr) => cr.category !== 'Identity' && cr.score > 0)
    .sort((a, b) => (b.earned_at ?? '').localeCompare(a.earned_at ?? ''))
    .map((cr) => ({ slug: cr.type, label: cr.name }))
  return c.json({ badges })
})

app.onError((err, c) => {
  if (err instanceof TalentError) return c.json({ error: err.message }, err.status === 404 ? 404 : 502)
  return c.json({ error: 'internal' }, 500)
})

export default app
