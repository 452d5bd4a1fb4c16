import nock from 'nock'
import { afterEach, expect, it } from 'vitest'
import { toRow } from '../src/queue.js'
import { createReputation } from '../src/reputation.js'

const passport = {
  passport_id: 77,
  score: 51.4,
  human_checkmark: true,
  last_calculated_at: '2024-10-01T12:35:50.602Z',
  merged: false,
  passport_profile: { display_name: ' zk-ninja ' },
}

afterEach(() => nock.cleanAll())

it('reads the record of a wallet', async () => {
  nock('https://api.talentprotocol.com').get('/api/v1/passports/0xabc').reply(200, { passport })
  const rep = await createReputation().lookup('0xabc')
  expect(rep?.passport_id).toBe(77)
  expect(toRow('0xabc', rep, [])).toMatchObject({ handle: 'zk-ninja', score: 51 })
})

it('gives undefined for an unknown wallet', async () => {
  nock('https://api.talentprotocol.com').get('/api/v1/passports/0xdef').reply(404, { error: 'Resource not found.' })
  expect(await createReputation().lookup('0xdef')).toBeUndefined()
})
