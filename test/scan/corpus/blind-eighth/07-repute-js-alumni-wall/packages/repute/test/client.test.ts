import { expect, it } from 'vitest'
import { NotFound, Repute } from '../src'

const answer = (status: number, body: unknown) =>
  new Repute({ apiKey: 'k', fetch: async () => new Response(JSON.stringify(body), { status }) })

it('unwraps a passport', async () => {
  const repute = answer(200, { passport: { passport_id: 5, score: 12, passport_socials: [] } })
  const passport = await repute.passports.get(5)
  expect(passport.score).toBe(12)
  expect(passport.passport_socials).toHaveLength(0)
})

it('throws NotFound', async () => {
  await expect(answer(404, { error: 'Resource not found.' }).passports.get(1)).rejects.toBeInstanceOf(NotFound)
})
