import { desc, eq } from 'drizzle-orm'
import express from 'express'
import { z } from 'zod'
import { db } from './db/client.js'
import { auditors, submissions } from './db/schema.js'
import { env } from './env.js'
import { refreshQueue, startWorker } from './queue.js'

const app = express()
app.use(express.json())

const wallet = z.string().regex(/^0x[0-9a-f]{40}$/i).transform((s) => s.toLowerCase())

app.post('/auditors', async (req, res) => {
  const body = z.object({ wallet }).safeParse(req.body)
  if (!body.success) return void res.status(400).json(body.error.flatten())
  const job = await refreshQueue.add('refresh', { wallet: body.data.wallet }, { attempts: 5, backoff: 10_000 })
  res.status(202).json({ job: job.id })
})

app.get('/auditors', async (_req, res) => {
  const rows = await db.select().from(auditors).orderBy(desc(auditors.score)).limit(50)
  res.json(rows.map((r) => ({ wallet: r.wallet, handle: r.handle, score: r.score, badges: r.badges })))
})

app.post('/contests/:id/submissions', async (req, res) => {
  const [auditor] = await db.select().from(auditors).where(eq(auditors.wallet, req.body.wallet))
  if (!auditor || !auditor.human || auditor.score < 30) {
    return void res.status(403).json({ error: 'reputation too low for this contest' })
  }
  await db.insert(submissions).values({ id: crypto.randomUUID(), wallet: auditor.wallet, severity: req.body.severity })
  res.sendStatus(201)
})

startWorker()
app.listen(env.PORT)
