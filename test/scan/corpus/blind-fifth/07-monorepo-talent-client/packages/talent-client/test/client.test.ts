import { expect, test, vi } from 'vitest'
import { createTalentClient, TalentError } from '../src'

const passport = { passport_id: 7, score: 61, human_checkmark: true, verified_wallets: ['0xabc'] }
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

test('unwraps the passport', async () => {
  const fetch = vi.fn(async () => json({ passport }))
  const client = createTalentClient({ baseUrl: 'http://t', fetch })
  const got = await client.passport('0xabc')
  expect(got.score).toBe(61)
  expect(got.verified_wallets).toContain('0xabc')
  expect(String(fetch.mock.calls[0][0])).toBe('http://t/api/v1/passports/0xabc')
})

test('walks all pages', async () => {
  const fetch = vi.fn(async (url: URL) => {
    const page = Number(url.searchParams.get('page'))
    return json({ passports: [{ ...passport, passport_id: page }], pagination: { current_page: page, last_page: 3 } })
  })
  const client = createTalentClient({ baseUrl: 'http://t', fetch: fetch as any })
  const ids: number[] = []
  for await (const p of client.passports()) ids.push(p.passport_id)
  expect(ids).toEqual([1, 2, 3])
})

test('401 is an error and is not retried', async () => {
  const fetch = vi.fn(async () => json({ error: 'unauthorized' }, 401))
  const client = createTalentClient({ baseUrl: 'http://t', fetch })
  await expect(client.passport(1)).rejects.toBeInstanceOf(TalentError)
  expect(fetch).toHaveBeenCalledTimes(1)
})
