import { afterEach, expect, mock, test } from 'bun:test'

mock.module('../src/cache', () => ({ cached: (_k: string, _t: number, f: () => unknown) => f(), forget: () => 0 }))

const { member } = await import('../src/reputation')
const realFetch = globalThis.fetch

afterEach(() => {
  globalThis.fetch = realFetch
})

test('unwraps the passport', async () => {
  globalThis.fetch = mock(async () => Response.json({ passport: { passport_id: 7, score: 51 } })) as any
  const passport = await member('0xabc')
  expect(passport.passport_id).toBe(7)
  expect(passport.score).toBe(51)
})

test('401 is nobody', async () => {
  globalThis.fetch = mock(async () => new Response('', { status: 401 })) as any
  expect(await member('0xabc')).toBeNull()
})
