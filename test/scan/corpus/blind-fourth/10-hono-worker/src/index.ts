import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { summarize } from './summary'
import { createTalent, type Env } from './talent'

const app = new Hono<{ Bindings: Env }>()

app.use('*', cors())

app.get('/summary/:id', async (c) => {
  const talent = createTalent(c.env)
  const [credentials, wallets] = await Promise.all([
    talent.credentials(c.req.param('id')),
    talent.wallets(c.req.param('id')),
  ])
  const summary = summarize(credentials)
  return c.json({ wallets, ...summary, score: Object.values(summary.totals).reduce((n, t) => n + t.score, 0) })
})

app.get('/find', async (c) => {
  const hit = await createTalent(c.env).find(c.req.query('q') ?? '')
  if (!hit) return c.json({ error: 'nobody' }, 404)
  return c.json({ id: hit.id, label: hit.label })
})

app.onError((err, c) => {
  console.error(err)
  return c.json({ error: 'upstream' }, 502)
})

export default app
