import { describe, expect, it, vi } from 'vitest';
import { TalentApiError, TalentPassportClient } from '../src';

const fixture = {
  passport: {
    passport_id: 12,
    score: 88,
    main_wallet: '0xaa',
    verified_wallets: ['0xaa', '0xbb'],
    passport_profile: { display_name: 'Ada', bio: null, location: null, tags: ['zk'] },
  },
};

const respond = (body: unknown, status = 200) =>
  vi.fn(async () => new Response(JSON.stringify(body), { status })) as unknown as typeof fetch;

describe('TalentPassportClient', () => {
  it('unwraps the passport', async () => {
    const client = new TalentPassportClient({ fetch: respond(fixture) });
    const passport = await client.getPassport('0xaa');
    expect(passport.score).toBe(88);
    expect(passport.passport_profile.display_name).toBe('Ada');
  });

  it('throws on 401', async () => {
    const client = new TalentPassportClient({ fetch: respond({ error: 'nope' }, 401) });
    await expect(client.getPassport(1)).rejects.toBeInstanceOf(TalentApiError);
  });

  it('stops at the last page', async () => {
    const page = { passports: [fixture.passport], pagination: { current_page: 1, last_page: 1, total: 1 } };
    const client = new TalentPassportClient({ fetch: respond(page) });
    const ids: number[] = [];
    for await (const p of client.iteratePassports()) ids.push(p.passport_id);
    expect(ids).toEqual([12]);
  });
});
