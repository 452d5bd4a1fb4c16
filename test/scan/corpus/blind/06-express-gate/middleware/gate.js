import { fetchPassport } from '../lib/passport.js'

export function requireScore(min) {
  return async (req, res, next) => {
    const address = req.header('x-wallet')
    let score = 0
    try {
      const passport = await fetchPassport(address)
      score = passport.score
    } catch (e) {
      console.warn('passport lookup failed', e.message)
    }
    if (score < min) {
      return res.status(403).json({ error: `Score ${score} is below ${min}` })
    }
    req.score = score
    next()
  }
}

export async function requireHuman(req, res, next) {
  try {
    const { human_checkmark: human, verified_wallets } = await fetchPassport(req.header('x-wallet'))
    if (!human) return res.status(403).json({ error: 'Humans only' })
    req.wallets = verified_wallets
    next()
  } catch (e) {
    next(e)
  }
}
