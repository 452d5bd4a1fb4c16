import fp from 'fastify-plugin'
import { request } from 'undici'

export default fp(async (app) => {
  app.decorate('screen', async (address) => {
    const { statusCode, body } = await request(`https://public.chainalysis.com/api/v1/address/${address}`, {
      headers: { 'X-API-Key': app.config.CHAINALYSIS_KEY },
    })
    if (statusCode >= 400) throw app.httpErrors.badGateway('screening')
    const { identifications } = await body.json()
    return identifications.map(({ category, name }) => ({ category, name }))
  })
})
