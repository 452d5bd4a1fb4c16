import express from 'express'
import { GateService } from './gate'
import { HttpError, MemoryCache } from './shared'
import { TalentClient } from './talent/TalentClient'

const { TALENT_BASE_URL = 'https://api.talentprotocol.com', TALENT_API_KEY = '', PORT = '3000' } = process.env

const gate = new GateService(new TalentClient(TALENT_BASE_URL, TALENT_API_KEY, new MemoryCache()), {
  minScore: 40,
  requireHuman: true,
  credentialTypes: ['active_wallet'],
})

const app = express()

app.get('/gate/:wallet', async (req, res, next) => {
  try {
    const decision = await gate.decide(req.params.wallet)
    res.status(decision.allowed ? 200 : 403).json({ score: decision.score, reasons: decision.reasons })
  } catch (e) {
    next(e)
  }
})

app.get('/score/:wallet', async (req, res) => {
  res.json({ score: await gate.scoreOf(req.params.wallet) })
})

app.use((err: Error, _req: express.Request, res: express.Response, _next: express.NextFunction) => {
  const status = err instanceof HttpError ? 502 : 500
  res.status(status).json({ error: err.message })
})

app.listen(Number(PORT))
