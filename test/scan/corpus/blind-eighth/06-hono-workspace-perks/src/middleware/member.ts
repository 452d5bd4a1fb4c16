import { createMiddleware } from 'hono/factory'
import { member } from '../reputation'
import type { Tier, Vars } from './session'

function tierOf(score: number, human: boolean): Tier {
  if (!human) return 'guest'
  if (score >= 90) return 'resident'
  return score >= 45 ? 'regular' : 'guest'
}

export const withMember = createMiddleware<{ Variables: Vars }>(async (c, next) => {
  const passport = await member(c.get('wallet'))
  if (!passport) {
    c.set('member', {})
    c.set('tier', 'guest')
    return next()
  }
  c.set('member', passport)
  c.set('tier', tierOf(passport.score ?? 0, passport.human_checkmark))
  await next()
})

export const atLeast = (wanted: Tier) =>
  createMiddleware<{ Variables: Vars }>(async (c, next) => {
    const order: Tier[] = ['guest', 'regular', 'resident']
    if (order.indexOf(c.get('tier')) < order.indexOf(wanted)) {
      return c.json({ error: `only for ${wanted}s`, tier: c.get('tier') }, 403)
    }
    await next()
  })
