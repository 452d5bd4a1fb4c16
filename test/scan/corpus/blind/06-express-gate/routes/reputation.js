import { Router } from 'express'
import { fetchCredentials, fetchPassport } from '../lib/passport.js'

const router = Router()

router.get('/:address', async (req, res, next) => {
  try {
    const passport = await fetchPassport(req.params.address)
    const credentials = await fetchCredentials(passport.passport_id)
    const onchain = credentials.filter(({ type }) => type.endsWith('_wallet'))

    res.json({
      address: req.params.address,
      total: passport.score,
      parts: {
        activity: passport.activity_score,
        identity: passport.identity_score,
        skills: passport.skills_score,
      },
      onchain: onchain.reduce((sum, c) => sum + c.score, 0),
      updated: passport.last_calculated_at,
    })
  } catch (e) {
    if (e.response?.status === 404) return res.status(404).json({ error: 'unknown wallet' })
    next(e)
  }
})

export default router
