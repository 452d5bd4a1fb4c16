import cors from '@fastify/cors'
import { Type } from '@sinclair/typebox'
import { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify from 'fastify'
import { trainingCompensation } from './compensation.js'
import { coachCredentials, playerPassport, searchPlayers } from './db.js'
import { CoachCredential, PlayerPassport } from './schema.js'

export const app = Fastify({ logger: true }).withTypeProvider<TypeBoxTypeProvider>()
await app.register(cors, { origin: process.env.WEB_ORIGIN })

app.addHook('onRequest', async (req, reply) => {
  if (req.headers['x-api-key'] !== process.env.FEDERATION_KEY) return reply.code(401).send({ error: 'unauthorized' })
})

app.get(
  '/api/v1/passports/:id',
  { schema: { params: Type.Object({ id: Type.Integer() }), response: { 200: Type.Object({ passport: PlayerPassport }) } } },
  async (req, reply) => {
    const passport = await playerPassport(req.params.id)
    if (!passport) return reply.code(404).send()
    return { passport }
  },
)

app.get(
  '/api/v1/passports',
  { schema: { querystring: Type.Object({ keyword: Type.String(), page: Type.Integer({ default: 1 }) }) } },
  async (req) => {
    const { rows, pagination } = await searchPlayers(req.query.keyword, req.query.page)
    return { passports: rows, pagination }
  },
)

app.get(
  '/api/v1/coaches/:id/credentials',
  { schema: { params: Type.Object({ id: Type.Integer() }), response: { 200: Type.Array(CoachCredential) } } },
  (req) => coachCredentials(req.params.id),
)

app.post('/api/v1/transfers/quote', { schema: { body: Type.Object({ passport_id: Type.Integer() }) } }, async (req, reply) => {
  const passport = await playerPassport(req.body.passport_id)
  if (!passport) return reply.code(404).send()
  const rate = await fetch('https://api.frankfurter.app/latest?from=EUR&to=CHF').then((r) => r.json())
  return { shares: trainingCompensation(passport), chf: rate.rates.CHF }
})

if (process.env.NODE_ENV !== 'test') await app.listen({ port: 3333, host: '0.0.0.0' })
