import { expect, test, vi } from 'vitest'
import { createTalent } from '../src/datasources/talent.js'

const body = {
  passport: {
    passport_id: 7,
    score: 91,
    activity_score: 30,
    identity_score: 30,
    skills_score: 31,
    last_calculated_at: null,
    verified_wallets: ['0xabc'],
  },
}

test('loads a passport once', async () => {
  const fetch = vi.fn(async () => Response.json(body))
  const talent = createTalent({ baseUrl: 'https://talent.test', fetch })
  const [a, b] = await Promise.all([talent.passports.load('0xabc'), talent.passports.load('0xabc')])
  expect(a?.score).toBe(91)
  expect(b?.passport_socials).toEqual([])
  expect(fetch).toHaveBeenCalledOnce()
})
