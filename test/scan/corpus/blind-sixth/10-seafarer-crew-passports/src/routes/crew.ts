import { Router } from 'express'
import { credentialsOf, crewOf, passportOf } from '../registry/client.js'
import { review } from '../registry/compliance.js'

export const crew = Router()

crew.use((req, res, next) => (req.isAuthenticated() ? next() : res.redirect('/login')))

crew.get('/vessels/:imo', async (req, res, next) => {
  try {
    const passports = await crewOf(req.params.imo)
    const rows = await Promise.all(
      passports.map(async (p) => ({
        id: p.passport_id,
        name: p.holder.display_name,
        location: p.holder.location ?? 'at sea',
        score: p.score,
        findings: review(p, await credentialsOf(p.passport_id).catch(() => [])),
      })),
    )
    res.render('vessel', { imo: req.params.imo, rows })
  } catch (e) {
    next(e)
  }
})

crew.get('/api/crew/:id', async (req, res) => {
  const passport = await passportOf(req.params.id)
  if (!passport) return res.status(404).json({ error: 'unknown seafarer' })
  const credentials = await credentialsOf(req.params.id)
  res.json({
    passport,
    passport_credentials: credentials.length,
    score: passport.score,
    findings: review(passport, credentials),
  })
})
