import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { TalentClient } from '../src/talent/client.js'

const server = createServer((req, res) => {
  res.setHeader('content-type', 'application/json')
  if (req.url === '/api/v1/passports/0xdead') return void res.writeHead(404).end('{"error":"Resource not found."}')
  res.end(JSON.stringify({ passport: { passport_id: 12, score: 44, human_checkmark: true, verified_wallets: [] } }))
})
let client: TalentClient

before(async () => {
  await new Promise<void>((done) => server.listen(0, done))
  client = new TalentClient({ host: `http://localhost:${(server.address() as any).port}`, key: 'k' })
})
after(() => server.close())

test('reads a passport', async () => {
  const passport = await client.passport('0xabc')
  assert.equal(passport?.passport_id, 12)
  assert.equal(passport?.score, 44)
})

test('an unknown wallet is null', async () => {
  assert.equal(await client.passport('0xdead'), null)
})
