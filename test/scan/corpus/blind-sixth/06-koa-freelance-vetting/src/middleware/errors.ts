import { RequestError } from 'got'
import type { Middleware } from 'koa'
import { log } from '../log.js'

export const errors: Middleware = async (ctx, next) => {
  try {
    await next()
  } catch (err: any) {
    if (err instanceof RequestError) {
      ctx.status = 502
      ctx.body = { error: 'upstream', detail: err.code }
      return
    }
    log.error(err)
    ctx.status = err.status ?? 500
    ctx.body = { error: err.expose ? err.message : 'internal' }
  }
}
