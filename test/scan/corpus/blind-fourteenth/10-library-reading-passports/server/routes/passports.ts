import type { FastifyInstance } from 'fastify'
import { db } from '../db.js'
import { lookupBook } from '../openlibrary.js'

const PAGE = 20

export default async function passports(app: FastifyInstance) {
  app.get<{ Querystring: { page?: number; keyword?: string } }>('/api/v1/passports', async (req) => {
    const page = Number(req.query.page ?? 1)
    const base = db.selectFrom('reading_passports').where('child_name', 'ilike', `%${req.query.keyword ?? ''}%`)
    const { total } = await base.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    const rows = await base.selectAll().orderBy('score', 'desc').limit(PAGE).offset((page - 1) * PAGE).execute()
    return {
      passports: rows,
      pagination: { current_page: page, last_page: Math.ceil(total / PAGE), total },
    }
  })

  app.get<{ Params: { id: string } }>('/api/v1/passports/:id', async (req, reply) => {
    const passport = await db
      .selectFrom('reading_passports')
      .selectAll()
      .where('passport_id', '=', Number(req.params.id))
      .executeTakeFirst()
    if (!passport) return reply.code(404).send({ error: 'No such passport' })
    const stamps = await db.selectFrom('stamps').selectAll().where('passport_id', '=', passport.passport_id).execute()
    return { passport: { ...passport, stamps } }
  })

  app.post<{ Params: { id: string }; Body: { isbn: string } }>('/api/v1/passports/:id/stamps', async (req) => {
    const book = await lookupBook(req.body.isbn)
    const score = book.pages > 150 ? 3 : 1
    await db
      .insertInto('stamps')
      .values({
        passport_id: Number(req.params.id),
        isbn: req.body.isbn,
        category: book.category,
        score,
        earned_at: new Date(),
      })
      .execute()
    return { score }
  })
}
