import path from 'node:path'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import passports from './routes/passports.js'

export const app = Fastify({ logger: true })
app.register(passports)
app.register(fastifyStatic, { root: path.join(import.meta.dirname, '../public') })

if (process.env.NODE_ENV !== 'test') {
  await app.listen({ port: Number(process.env.PORT ?? 3000), host: '0.0.0.0' })
}
