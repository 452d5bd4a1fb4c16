import { describe, expect, it, vi } from 'vitest'
import { PassportClient, followers } from '../src'

const fixture = {
  passport: {
    passport_id: 7,
    score: 88,
    main_wallet: '0xabc',
    passport_profile: { display_name: 'Ana', bio: null, location: null, tags: ['dev'] },
    passport_socials: [{ source: 'lens', follower_count: '12' }, { source: 'farcaster', follower_count: '30' }],
  },
}

const respond = (body: unknown, status = 200) =>
  vi.fn().mockResolvedValue(new Response(JSON.stringify(body), { status }))

describe('PassportClient', () => {
  it('gets one', async () => {
    const client = new PassportClient({ fetch: respond(fixture) })
    const passport = await client.get(7)
    expect(passport.score).toBe(88)
    expect(passport.passport_profile.tags).toEqual(['dev'])
    expect(followers(passport)).toBe(42)
  })

  it('throws on 401', async () => {
    const client = new PassportClient({ fetch: respond({ error: 'no' }, 401) })
    await expect(client.get(7)).rejects.toMatchObject({ status: 401 })
  })
})
