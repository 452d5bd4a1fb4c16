import { Hono } from 'hono'
import { neighbours } from '../reputation'

export const neighbourRoutes = new Hono().get('/', async (c) => {
  const page = Number(c.req.query('page') ?? 1)
  const result = await neighbours(page, c.req.query('q'))
  if (!result) return c.json({ error: 'reputation service is down' }, 503)

  const { passports, pagination } = result
  return c.json({
    people: passports
      .filter((p: any) => p.passport_profile?.tags?.includes('coworking'))
      .map((p: any) => ({ wallet: p.main_wallet, name: p.passport_profile.display_name, links: p.connections_count })),
    next: pagination.current_page < pagination.last_page ? page + 1 : null,
  })
})
