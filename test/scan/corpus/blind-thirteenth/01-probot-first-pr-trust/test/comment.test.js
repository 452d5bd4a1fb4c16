import test from 'node:test'
import assert from 'node:assert/strict'
import { render } from '../lib/comment.js'

const passport = {
  passport_id: 7,
  score: 61,
  calculating_score: false,
  last_calculated_at: '2025-02-11T08:00:00Z',
  passport_profile: { display_name: 'Ona', tags: ['solidity'] },
}

test('shows name, score and the table', () => {
  const body = render({
    login: 'ona-dev',
    passport,
    credentials: [{ type: 'github_commits', name: 'Commits', value: '412', score: 6, max_score: 8, earned_at: null }],
    linked: true,
  })
  assert.match(body, /\*\*Ona\*\* · builder score 61/)
  assert.match(body, /\| Commits \| 412 \| 6\/8 \| – \|/)
})

test('says so when there is nothing to show', () => {
  const body = render({ login: 'x', passport, credentials: [], linked: false })
  assert.match(body, /No GitHub credentials/)
  assert.match(body, /not linked/)
})
