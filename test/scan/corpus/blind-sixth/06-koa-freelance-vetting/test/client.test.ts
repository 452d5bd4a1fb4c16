import assert from 'node:assert/strict'
import { test } from 'node:test'
import nock from 'nock'
import { TalentClient } from '../src/services/talent.client.js'
import { gradeOf } from '../src/services/vetting.js'

const client = new TalentClient('http://talent.test')

test('reads a passport by wallet', async () => {
  nock('http://talent.test')
    .get('/api/v1/passports/0xabc')
    .reply(200, { passport: { passport_id: 7, score: 88, verified_wallets: ['0xabc'] } })
  const passport = await client.byWallet('0xabc')
  assert.equal(passport?.passport_id, 7)
  assert.equal(passport?.score, 88)
})

test('an unknown wallet is undefined', async () => {
  nock('http://talent.test').get('/api/v1/passports/0xdead').reply(404, { error: 'Resource not found.' })
  assert.equal(await client.byWallet('0xdead'), undefined)
})

test('grades', () => {
  assert.equal(gradeOf(200, 0), 'A')
  assert.equal(gradeOf(200, 3), 'rejected')
})
