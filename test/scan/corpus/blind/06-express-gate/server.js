import express from 'express'
import cors from 'cors'
import { requireScore, requireHuman } from './middleware/gate.js'
import claims from './routes/claims.js'
import reputation from './routes/reputation.js'

const app = express()
app.use(cors())
app.use(express.json())

app.get('/healthz', (_req, res) => res.json({ ok: true, uptime: process.uptime() }))
app.use('/reputation', reputation)
app.use('/claims', requireHuman, requireScore(Number(process.env.MIN_SCORE || 30)), claims)

app.use((err, _req, res, _next) => {
  console.error(err)
  res.status(err.status || 500).json({ error: err.message })
})

app.listen(process.env.PORT || 4000)
