import type { NextFunction, Request, Response } from 'express'
import jwt from 'jsonwebtoken'
import { config } from '../config'

declare global {
  namespace Express {
    interface Request {
      user?: { wallet: string; score?: number }
      builder?: { id: number; score: number; wallets: string[] }
      log?: { error: (...args: unknown[]) => void }
    }
  }
}

export function session(req: Request, _res: Response, next: NextFunction) {
  const token = req.headers.authorization?.replace('Bearer ', '')
  if (token) {
    try {
      req.user = jwt.verify(token, config.jwtSecret) as { wallet: string }
    } catch {
      req.user = undefined
    }
  }
  next()
}
