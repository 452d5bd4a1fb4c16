import { Hono } from 'hono'
import { cache } from 'hono/cache'
import { isAddress } from 'viem'
import { loadPassport } from './lib/gate'

const app = new Hono()

app.get('/passports/:address', cache({ cacheName: 'passports', cacheControl: 'max-age=300' }), async (c) => {
  const address = c.req.param('address')
  if (!isAddress(address)) return c.json({ error: 'bad address' }, 400)
  const passport = await loadPassport(address)
  return c.json({ passport })
})

app.get('/passports/:address/eligible', async (c) => {
  const { score, passes, providers } = await loadPassport(c.req.param('address'))
  const hasGithub = providers.some((p) => p.startsWith('github'))
  return c.json({ eligible: passes || (hasGithub && score > 15), score })
})

app.onError((err, c) => {
  console.error(err)
  return c.json({ error: 'passport lookup failed' }, 502)
})

export default app
