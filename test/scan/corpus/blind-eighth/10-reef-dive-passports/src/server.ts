import express from 'express'
import session from 'express-session'
import { passport, signedIn } from './auth'
import { clearance } from './clearance'
import { config } from './config'
import { quizScore } from './quiz'
import { diveCredentials, divePassport, searchDivers } from './registry'

const app = express()
app.use(express.urlencoded({ extended: false }))
app.use(session({ secret: config.sessionSecret, resave: false, saveUninitialized: false }))
app.use(passport.initialize())
app.use(passport.session())

app.post('/login', passport.authenticate('local', { successRedirect: '/me', failureRedirect: '/login' }))

app.get('/me', signedIn, async (req: any, res) => {
  const mine = await divePassport(req.user.divePassport)
  if (!mine) return res.status(404).send('No dive passport with this number')
  const result = clearance(mine, await quizScore(req.user.email))
  res.send(`
    <h1>${mine.holder.display_name}</h1>
    <p>${mine.holder.location}, ${mine.holder.club}</p>
    <p>Passport ${mine.passport_id}, ${mine.stamps.length} stamps, theory ${mine.score}%</p>
    <p>${result.allowed ? `Cleared to ${result.maxDepth} m` : result.reasons.join('<br>')}</p>
  `)
})

// the boats' tablets read these
app.get('/api/v1/passports', signedIn, async (req, res) => {
  const { divers, last, total } = await searchDivers(String(req.query.keyword ?? ''), Number(req.query.page ?? 1))
  res.json({
    passports: divers.map((d) => ({ passport_id: d.passport_id, name: d.holder.display_name, score: d.score })),
    pagination: { last_page: last, total },
  })
})

app.get('/api/v1/passports/:id', signedIn, async (req, res) => {
  const found = await divePassport(req.params.id)
  if (!found) return res.sendStatus(404)
  res.json({ passport: { ...found, clearance: clearance(found, 0) } })
})

app.get('/api/v1/passports/:id/credentials', signedIn, async (req, res) => {
  const list = await diveCredentials(req.params.id)
  res.json({ credentials: list.map((c) => ({ label: c.name, since: c.earned_at, professional: c.category === 'professional' })) })
})

app.listen(4020)
