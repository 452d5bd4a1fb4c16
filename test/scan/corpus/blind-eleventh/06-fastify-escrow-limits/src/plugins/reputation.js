import fp from 'fastify-plugin'
import { Pool } from 'undici'

const TTL = 900

export default fp(
  async function reputation(app) {
    const pool = new Pool(app.config.REPUTATION_ORIGIN, { connections: 8 })
    const headers = { 'x-api-key': app.config.REPUTATION_KEY, accept: 'application/json' }

    async function getPassport(wallet) {
      const key = `rep:${wallet}`
      const hit = await app.redis.get(key)
      if (hit) return JSON.parse(hit)

      const { statusCode, body } = await pool.request({ method: 'GET', path: `/api/v1/passports/${wallet}`, headers })
      if (statusCode === 401) throw app.httpErrors.badGateway('reputation key rejected')
      if (statusCode !== 200) {
        await body.dump()
        return null
      }
      const { passport } = await body.json()
      await app.redis.set(key, JSON.stringify(passport), 'EX', TTL)
      return passport
    }

    async function getCredentials(passportId) {
      const search = new URLSearchParams({ passport_id: passportId })
      const { body } = await pool.request({ method: 'GET', path: `/api/v1/passport_credentials?${search}`, headers })
      const json = await body.json()
      return json.passport_credentials ?? []
    }

    app.decorate('reputation', { getPassport, getCredentials })
    app.addHook('onClose', () => pool.close())
  },
  { name: 'reputation', dependencies: ['@fastify/redis', '@fastify/env'] },
)
