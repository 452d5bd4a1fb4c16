import request from 'supertest'
import { beforeAll, expect, test } from 'vitest'
import { app } from '../server/app.js'
import { migrate } from '../server/db.js'

const api = request(app.callback())

beforeAll(migrate)

test('a stamp raises the score', async () => {
  const { body } = await api.post('/api/v1/passports').send({ name: 'Petra' })
  const id = body.passport.passport_id
  await api.post(`/api/v1/passports/${id}/stamps`).send({ winery: 'Dveri', category: 'white', score: 15 })
  const res = await api.get(`/api/v1/passports/${id}`)
  expect(res.body.passport.score).toBe(15)
  expect(res.body.passport.stamps[0].category).toBe('white')
})
