'use strict';

const nock = require('nock');
const assert = require('node:assert');
const { test } = require('node:test');
const { votingPower } = require('../src/reputation');

test('weights a verified human', async () => {
  nock('https://reputation.example')
    .get('/api/v1/passports/0xabc')
    .reply(200, { passport: { passport_id: 7, score: 55, human_checkmark: true } });
  nock('https://reputation.example')
    .get('/api/v1/passport_credentials')
    .query({ passport_id: 7 })
    .reply(200, { passport_credentials: [{ category: 'Skills', score: 4 }] });
  assert.strictEqual(await votingPower('0xabc'), 9);
});
