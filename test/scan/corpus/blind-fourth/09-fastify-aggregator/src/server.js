import Fastify from 'fastify'
import { aggregate } from './aggregate.js'

const app = Fastify({ logger: true })

app.get(
  '/reputation/:address',
  {
    schema: {
      params: {
        type: 'object',
        properties: { address: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } },
      },
    },
  },
  async (req, reply) => {
    const result = await aggregate(req.params.address.toLowerCase(), req.log)
    if (result.results.length === 0 && result.errors.length > 0) {
      return reply.code(502).send({ errors: result.errors })
    }
    return result
  },
)

await app.listen({ port: Number(process.env.PORT ?? 8080), host: '0.0.0.0' })
