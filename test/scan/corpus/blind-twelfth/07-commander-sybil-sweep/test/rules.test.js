import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../src/rules.js'

const good = {
  human_checkmark: true,
  score: 88,
  identity_score: 20,
  verified_wallets: ['0x1', '0x2'],
  passport_socials: [{ source: 'farcaster', follower_count: '900', following_count: '120' }],
  passport_profile: { bio: 'I build things' },
}

test('a complete record is no risk', () => {
  assert.equal(judge(good).risk, 0)
})

test('an unverified record is', () => {
  const verdict = judge({ ...good, human_checkmark: false, score: 3 })
  assert.deepEqual(verdict.reasons, ['not-human', 'low-score'])
})
