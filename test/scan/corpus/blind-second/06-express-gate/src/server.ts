import express from 'express'
import { config } from './config'
import { requireBuilder } from './middleware/requireBuilder'
import { session } from './middleware/session'

const app = express()
app.use(express.json())
app.use(session)

app.get('/health', (_req, res) => res.json({ ok: true }))

app.get('/me', requireBuilder({ minScore: 0 }), (req, res) => {
  res.json({ passportId: req.builder!.id, score: req.builder!.score, wallets: req.builder!.wallets.length })
})

app.post('/grants', requireBuilder({ humanOnly: true }), (req, res) => {
  const { title, amount } = req.body
  res.status(201).json({ title, amount, applicant: req.builder!.id })
})

app.listen(config.port, () => console.log(`listening on ${config.port}`))
