import type { NextFunction, Request, Response } from 'express'
import { config } from '../config'
import { findPassport } from '../talent/client'

export interface Options {
  minScore?: number
  humanOnly?: boolean
}

export function requireBuilder({ minScore = config.minScore, humanOnly = false }: Options = {}) {
  return async (req: Request, res: Response, next: NextFunction) => {
    const wallet = req.user?.wallet
    if (!wallet) return res.status(401).json({ error: 'not signed in' })

    try {
      const passport = await findPassport(wallet)
      if (!passport) return res.status(403).json({ error: 'no passport' })
      if (passport.score < minScore) {
        return res.status(403).json({ error: 'score too low', score: passport.score, minScore })
      }
      if (humanOnly && !passport.human_checkmark) {
        return res.status(403).json({ error: 'humans only' })
      }
      req.builder = { id: passport.passport_id, score: passport.score, wallets: passport.verified_wallets }
      next()
    } catch (err) {
      // not the user's fault, so no 403 here
      req.log?.error({ err }, 'passport lookup failed')
      res.status(503).json({ error: 'passport service unavailable' })
    }
  }
}
