import { gitcoinScore } from './providers/gitcoin.js'
import { talentScore } from './providers/talent.js'
import { withRetry } from './retry.js'

export async function aggregate(address, log) {
  const settled = await Promise.allSettled([
    withRetry(() => talentScore(address)),
    withRetry(() => gitcoinScore(address)),
  ])
  const errors = []
  const results = []
  for (const s of settled) {
    if (s.status === 'rejected') {
      log.warn(s.reason)
      errors.push(s.reason.message)
    } else if (s.value) {
      results.push(s.value)
    }
  }
  return {
    address,
    human: results.some((r) => r.human),
    best: results.reduce((max, r) => Math.max(max, r.score), 0),
    results,
    errors,
  }
}
