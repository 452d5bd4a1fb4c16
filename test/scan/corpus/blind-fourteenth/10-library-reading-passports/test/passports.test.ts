import { expect, it } from 'vitest'
import { app } from '../server/index.js'

it('lists passports by score', async () => {
  const res = await app.inject('/api/v1/passports?page=1')
  expect(res.statusCode).toBe(200)
  const scores = res.json().passports.map((p: { score: number }) => p.score)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
})

it('answers 404 for an unknown passport', async () => {
  const res = await app.inject('/api/v1/passports/999999')
  expect(res.statusCode).toBe(404)
})
