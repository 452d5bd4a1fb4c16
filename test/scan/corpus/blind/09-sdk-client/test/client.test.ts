import { describe, expect, it, vi } from 'vitest'
import { groupByCategory, isMain, PassportClient, scoreOrZero } from '../src'

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })

describe('PassportClient', () => {
  it('reads one passport', async () => {
    const fetch = vi.fn(async () => json({ passport: { passport_id: 7, score: 91, main_wallet: '0xA' } }))
    const client = new PassportClient({ fetch, apiKey: 'k' })
    const passport = await client.get('0xa')
    expect(passport.score).toBe(91)
    expect(isMain(passport, '0xa')).toBe(true)
    expect(String(fetch.mock.calls[0][0])).toContain('/api/v1/passports/0xa')
  })

  it('throws on 401', async () => {
    const client = new PassportClient({ fetch: async () => json({}, 401) })
    await expect(client.get(1)).rejects.toThrow('Unauthorized')
    expect(await scoreOrZero(client, '0xa')).toBe(0)
  })

  it('groups credentials', () => {
    const groups = groupByCategory([
      { id: 'a', category: 'Activity', type: 'active_wallet', score: 3, value: null, last_calculated_at: '' },
    ])
    expect(groups.get('Activity')).toHaveLength(1)
  })
})
