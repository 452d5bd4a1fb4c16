import { describe, expect, it, vi } from 'vitest'
import { StandingClient, StandingError } from '../src'

const raw = {
  passport_id: 7,
  score: 81,
  human_checkmark: true,
  last_calculated_at: null,
  verified_wallets: ['0x1'],
  passport_profile: { display_name: null },
}
const respond = (body: unknown, status = 200) => vi.fn(async () => new Response(JSON.stringify(body), { status }))

describe('StandingClient', () => {
  it('maps a passport', async () => {
    const fetch = respond({ passport: raw })
    const member = await new StandingClient({ fetch, baseUrl: 'http://x/' }).member(7)
    expect(fetch.mock.calls[0]).toContain('http://x/api/v1/passports/7')
    expect(member.name).toBe('Member 7')
    expect(member.score).toBe(81)
    expect(member.tags).toEqual([])
  })

  it('throws on 401', async () => {
    const client = new StandingClient({ fetch: respond({}, 401) })
    await expect(client.member(7)).rejects.toBeInstanceOf(StandingError)
  })
})
