import { expect, test, vi } from 'vitest'
import { notaryActionProvider } from '../src/index.js'

const reply = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

test('refuses without seals', async () => {
  const fetchFn = vi
    .fn<typeof fetch>()
    .mockResolvedValueOnce(
      reply({ passport: { passport_id: 5, score: 99, human_checkmark: true, last_calculated_at: null } }),
    )
    .mockResolvedValueOnce(reply({ passport_credentials: [] }))

  const text = await notaryActionProvider({ fetchFn, apiKey: 'k' }).checkNotary({
    walletAddress: `0x${'ab'.repeat(20)}`,
    minScore: 40,
  })

  expect(text).toContain('may not notarise')
  expect(fetchFn).toHaveBeenCalledTimes(2)
})

test('tells about failures', async () => {
  const fetchFn = vi.fn<typeof fetch>().mockResolvedValue(reply({ error: 'nope' }, 401))
  const text = await notaryActionProvider({ fetchFn }).checkNotary({ walletAddress: `0x${'cd'.repeat(20)}`, minScore: 1 })
  expect(text).toMatch(/HTTP 401/)
})
