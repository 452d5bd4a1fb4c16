import { limitFor } from '../limits.js'

const schema = {
  body: {
    type: 'object',
    required: ['buyer', 'seller', 'amount'],
    properties: {
      buyer: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
      seller: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
      amount: { type: 'number', exclusiveMinimum: 0 },
    },
  },
}

export default async function escrows(app) {
  app.get('/limits/:wallet', async (req) => {
    const passport = await app.reputation.getPassport(req.params.wallet)
    const credentials = passport ? await app.reputation.getCredentials(passport.passport_id) : []
    const { tier, limit, rules } = limitFor(passport, credentials)
    return { wallet: req.params.wallet, owner: passport?.passport_profile?.display_name ?? null, tier, limit, rules }
  })

  app.post('/escrows', { schema }, async (req, reply) => {
    const { buyer, seller, amount } = req.body
    const flags = (await Promise.all([buyer, seller].map(app.screen))).flat()
    if (flags.length) throw app.httpErrors.forbidden(flags[0].category)

    const [b, s] = await Promise.all([buyer, seller].map((w) => app.reputation.getPassport(w)))
    if (s?.calculating_score) throw app.httpErrors.tooEarly('seller is being scored')
    const allowed = Math.min(limitFor(b).limit, limitFor(s).limit)
    if (amount > allowed) throw app.httpErrors.unprocessableEntity(`limit is ${allowed}`)

    const id = await app.redis.incr('escrow:id')
    await app.redis.hset(`escrow:${id}`, { buyer, seller, amount, score: s?.score ?? 0 })
    return reply.code(201).send({ id })
  })
}
