import { createHash, timingSafeEqual } from 'node:crypto'
import passport from 'passport'
import { Strategy as LocalStrategy } from 'passport-local'

interface Officer {
  id: string
  name: string
  hash: string
}

const officers: Officer[] = JSON.parse(process.env.OFFICERS ?? '[]')

passport.use(
  new LocalStrategy((username, password, done) => {
    const officer = officers.find((o) => o.name === username)
    if (!officer) return done(null, false)
    const given = createHash('sha256').update(password).digest()
    const ok = timingSafeEqual(given, Buffer.from(officer.hash, 'hex'))
    return done(null, ok ? officer : false)
  }),
)

passport.serializeUser((user, done) => done(null, (user as Officer).id))
passport.deserializeUser((id, done) => done(null, officers.find((o) => o.id === id) ?? false))

export default passport
