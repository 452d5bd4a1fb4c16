import { Hono } from 'hono'
import { logger } from 'hono/logger'
import { env } from './env'
import { forget } from './cache'
import { neighbourRoutes } from './routes/neighbours'
import { perksRoutes } from './routes/perks'

const app = new Hono()
app.use(logger())
app.route('/perks', perksRoutes)
app.route('/neighbours', neighbourRoutes)
app.post('/refresh/:wallet', async (c) => {
  await forget(`member:${c.req.param('wallet').toLowerCase()}`)
  return c.body(null, 204)
})
app.onError((err, c) => {
  console.error(err)
  return c.json({ error: 'internal' }, 500)
})

export default { port: env.port, fetch: app.fetch }
