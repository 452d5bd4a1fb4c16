import Fastify from 'fastify'
import passport from '@fastify/passport'
import secureSession from '@fastify/secure-session'
import { Strategy as LocalStrategy } from 'passport-local'
import { checkInspector } from './inspectors'
import { db, type PhytoCredential, type PlantPassport } from './db'

const app = Fastify({ logger: true })
await app.register(secureSession, { key: Buffer.from(process.env.SESSION_KEY!, 'hex') })
await app.register(passport.initialize())
await app.register(passport.secureSession())

passport.use(
  'local',
  new LocalStrategy(async (username, password, done) => {
    const user = await checkInspector(username, password)
    done(null, user ?? false)
  }),
)

const PAGE = 40

app.get<{ Querystring: { keyword?: string; page?: number } }>('/api/v1/passports', async (req) => {
  const { keyword = '', page = 1 } = req.query
  const passports = db
    .prepare<unknown[], PlantPassport>('select * from passports where botanical_name like ? order by score desc limit ? offset ?')
    .all(`%${keyword}%`, PAGE, (page - 1) * PAGE)
  const { total } = db.prepare<[], { total: number }>('select count(*) as total from passports').get()!
  return { passports, pagination: { current_page: page, last_page: Math.ceil(total / PAGE), total } }
})

app.get<{ Params: { id: string } }>('/api/v1/passports/:id', async (req, reply) => {
  const row = db
    .prepare<unknown[], PlantPassport>('select * from passports where passport_id = ? or trace_code = ?')
    .get(req.params.id, req.params.id)
  if (!row) return reply.code(404).send({ error: 'no such lot' })
  const credentials = db
    .prepare<unknown[], PhytoCredential>('select * from passport_credentials where passport_id = ?')
    .all(row.passport_id)
  return { passport: row, credentials }
})

app.post<{ Params: { id: string }; Body: { score: number } }>(
  '/api/v1/passports/:id/score',
  { preValidation: passport.authenticate('local', { session: true }) },
  async (req) => {
    db.prepare("update passports set score = ?, last_inspected_at = datetime('now') where passport_id = ?").run(
      req.body.score,
      req.params.id,
    )
    return { ok: true }
  },
)

await app.listen({ port: 4000, host: '0.0.0.0' })
