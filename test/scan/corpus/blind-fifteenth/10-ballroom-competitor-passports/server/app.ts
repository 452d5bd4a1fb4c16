import { asc, count, desc, eq, ilike } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { credentials, passports } from './schema'

const db = drizzle(process.env.DATABASE_URL!)
const PAGE_SIZE = 30

export const app = new Hono().basePath('/api/v1')

app.get('/passports', async (c) => {
  const page = Number(c.req.query('page') ?? 1)
  const where = ilike(passports.displayName, `%${c.req.query('keyword') ?? ''}%`)
  const [{ total }] = await db.select({ total: count() }).from(passports).where(where)
  const rows = await db
    .select()
    .from(passports)
    .where(where)
    .orderBy(desc(passports.score))
    .limit(PAGE_SIZE)
    .offset((page - 1) * PAGE_SIZE)
  return c.json({ passports: rows, pagination: { current_page: page, last_page: Math.ceil(total / PAGE_SIZE), total } })
})

app.get('/passports/:id', async (c) => {
  const id = Number(c.req.param('id'))
  const [passport] = await db.select().from(passports).where(eq(passports.passportId, id))
  if (!passport) throw new HTTPException(404, { message: 'No such competitor' })
  const earned = await db
    .select()
    .from(credentials)
    .where(eq(credentials.passportId, id))
    .orderBy(asc(credentials.earnedAt))
  return c.json({ passport, credentials: earned })
})
