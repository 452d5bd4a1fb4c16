import { Router } from 'express'

const router = Router()
const claimed = new Map()

router.post('/', (req, res) => {
  const wallet = req.header('x-wallet')
  if (req.wallets.some((w) => claimed.has(w))) {
    return res.status(409).json({ error: 'Already claimed' })
  }
  const amount = Math.min(500, Math.floor(req.score * 1.5))
  for (const w of req.wallets) claimed.set(w, amount)
  res.status(201).json({ wallet, amount })
})

router.get('/', (_req, res) => {
  res.json({ total: claimed.size })
})

export default router
