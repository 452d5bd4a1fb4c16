import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { TalentProvider } from '../src/index.js'

const base = 'https://talent.test'
const server = setupServer(
  http.get(`${base}/api/v1/passports/0xabc`, () =>
    HttpResponse.json({
      passport: { passport_id: 7, score: 61, human_checkmark: true, merged: false, passport_profile: null, passport_socials: [] },
    }),
  ),
  http.get(`${base}/api/v1/passport_credentials`, () => HttpResponse.json({ passport_credentials: [] })),
)

beforeAll(() => server.listen())
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const provider = new TalentProvider({ apiKey: 'k', baseUrl: base })

test('returns the raw passport', async () => {
  const passport = await provider.passport('0xabc')
  expect(passport?.passport_id).toBe(7)
  expect(passport?.score).toBe(61)
})

test('turns it into a signal', async () => {
  const signal = await provider.lookup('0xabc')
  expect(signal?.score).toBe(61)
  expect(signal?.evidence).toEqual([])
})
