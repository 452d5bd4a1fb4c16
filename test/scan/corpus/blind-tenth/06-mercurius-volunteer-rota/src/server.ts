import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import mercurius from 'mercurius'
import pgPromise from 'pg-promise'
import { PassportSource } from './datasources/passports'
import { loaders, resolvers } from './resolvers'

declare module 'mercurius' {
  interface MercuriusContext {
    passports: PassportSource
    db: pgPromise.IDatabase<unknown>
  }
}

export function build() {
  const app = Fastify({ logger: true })
  const db = pgPromise()(process.env.DATABASE_URL!)
  const passports = new PassportSource(process.env.TALENT_ORIGIN ?? 'https://api.talentprotocol.com', process.env.TALENT_KEY!)

  app.register(mercurius, {
    schema: readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8'),
    resolvers,
    loaders,
    context: () => ({ passports, db }),
    graphiql: process.env.NODE_ENV !== 'production',
  })

  app.get('/healthz', async () => ({ ok: true }))
  return app
}

if (process.env.NODE_ENV !== 'test') {
  await build().listen({ port: Number(process.env.PORT ?? 4000), host: '0.0.0.0' })
}
