import Router from '@koa/router'
import type { VettingService } from '../services/vetting.js'

const WALLET = /^0x[0-9a-f]{40}$/i

export function vettingRoutes(vetting: VettingService) {
  const router = new Router({ prefix: '/vetting' })

  router.get('/:wallet', async (ctx) => {
    ctx.assert(WALLET.test(ctx.params.wallet), 400, 'not a wallet')
    const report = await vetting.report(ctx.params.wallet.toLowerCase())
    ctx.assert(report, 404, 'no passport')
    ctx.set('Cache-Control', 'private, max-age=300')
    ctx.body = report
  })

  router.post('/batch', async (ctx) => {
    const { wallets = [] } = ctx.request.body as { wallets?: string[] }
    ctx.assert(wallets.length <= 20, 400, 'too many wallets')
    const settled = await Promise.allSettled(wallets.map((w) => vetting.report(w)))
    ctx.body = settled.map((s, i) => ({
      wallet: wallets[i],
      grade: s.status === 'fulfilled' ? s.value?.grade ?? 'unknown' : 'error',
      score: s.status === 'fulfilled' ? s.value?.score ?? 0 : 0,
    }))
  })

  router.get('/', async (ctx) => {
    const { q = '', limit = '10' } = ctx.query as Record<string, string>
    ctx.body = { candidates: await vetting.shortlist(q, Number(limit)) }
  })

  return router.routes()
}
