jest.mock('node-fetch');
const fetch = require('node-fetch');
const talent = require('../services/talent');

const fixture = {
  passport: {
    passport_id: 7,
    score: 63,
    human_checkmark: true,
    passport_profile: { display_name: 'Ada', bio: 'engines' },
    passport_socials: [],
    verified_wallets: ['0xabc'],
  },
};

const answer = (status, body) =>
  fetch.mockResolvedValueOnce({ status, ok: status < 300, statusText: '', json: async () => body });

test('returns the passport', async () => {
  answer(200, fixture);
  const passport = await talent.getPassport('0xabc');
  expect(passport.passport_id).toBe(7);
  expect(passport.passport_profile.display_name).toBe('Ada');
});

test('unknown wallet is null', async () => {
  answer(404, { error: 'Resource not found.' });
  expect(await talent.getPassport('0xdef')).toBeNull();
});

test('score falls back to zero', async () => {
  answer(500, {});
  expect(await talent.getScore('0xabc')).toBe(0);
});
