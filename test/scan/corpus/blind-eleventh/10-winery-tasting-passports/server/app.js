import Router from '@koa/router'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import serve from 'koa-static'
import * as passports from './passports.js'

const router = new Router({ prefix: '/api/v1' })

router.get('/passports', async (ctx) => {
  ctx.body = await passports.leaderboard(Number(ctx.query.page ?? 1))
})

router.post('/passports', async (ctx) => {
  ctx.status = 201
  ctx.body = { passport: await passports.issue(ctx.request.body.name) }
})

router.get('/passports/:id', async (ctx) => {
  const passport = await passports.find(ctx.params.id)
  if (!passport) ctx.throw(404, 'No such tasting passport')
  ctx.body = { passport }
})

router.post('/passports/:id/stamps', async (ctx) => {
  const { winery, category, score } = ctx.request.body
  ctx.body = { passport: await passports.stamp(ctx.params.id, { winery, category, score }) }
})

export const app = new Koa().use(bodyParser()).use(serve('public')).use(router.routes())
