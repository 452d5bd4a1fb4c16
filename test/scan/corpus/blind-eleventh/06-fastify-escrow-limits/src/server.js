import env from '@fastify/env'
import redis from '@fastify/redis'
import sensible from '@fastify/sensible'
import Fastify from 'fastify'
import reputation from './plugins/reputation.js'
import screening from './plugins/screening.js'
import escrows from './routes/escrows.js'

const app = Fastify({ logger: true })

await app.register(env, {
  dotenv: true,
  schema: {
    type: 'object',
    required: ['REPUTATION_ORIGIN', 'REPUTATION_KEY', 'CHAINALYSIS_KEY'],
    properties: {
      REPUTATION_ORIGIN: { type: 'string', default: 'https://api.talentprotocol.com' },
      REPUTATION_KEY: { type: 'string' },
      CHAINALYSIS_KEY: { type: 'string' },
      REDIS_URL: { type: 'string', default: 'redis://127.0.0.1' },
    },
  },
})
await app.register(sensible)
await app.register(redis, { url: app.config.REDIS_URL })
await app.register(reputation)
await app.register(screening)
await app.register(escrows, { prefix: '/v2' })
await app.listen({ port: Number(process.env.PORT ?? 3000), host: '0.0.0.0' })
