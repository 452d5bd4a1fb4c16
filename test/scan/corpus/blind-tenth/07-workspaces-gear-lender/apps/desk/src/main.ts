import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { StandingClient } from '@gear/standing'
import { quote } from './deposit'
import { inventory } from './inventory'

const client = new StandingClient({ apiKey: process.env.STANDING_KEY })
const app = new Hono()

app.get('/quote/:item/:wallet', async (c) => {
  const item = await inventory.find(c.req.param('item'))
  if (!item) return c.notFound()
  const q = await quote(client, c.req.param('wallet'), item.price)
  return c.json({ item: item.name, location: item.location, score: q.score, deposit: q.deposit, reason: q.reason })
})

app.get('/borrowers', async (c) => {
  const rows: string[] = []
  for await (const person of client.people(c.req.query('q'))) {
    rows.push(`${person.passport_id}\t${person.passport_profile.display_name}\t${person.passport_profile.location ?? ''}`)
    if (rows.length === 50) break
  }
  return c.text(rows.join('\n'))
})

serve({ fetch: app.fetch, port: 8787 })
