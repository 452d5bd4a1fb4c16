import passport from 'passport'
import { Strategy as LocalStrategy } from 'passport-local'
import { findUser, type User } from './users'

passport.use(
  new LocalStrategy({ usernameField: 'email' }, async (email, password, done) => {
    const user = await findUser(email)
    if (!user || !user.check(password)) return done(null, false, { message: 'Wrong credentials' })
    return done(null, user)
  }),
)

passport.serializeUser((user, done) => done(null, (user as User).email))
passport.deserializeUser(async (email: string, done) => done(null, await findUser(email)))

export { passport }

export function signedIn(req: any, res: any, next: any) {
  if (req.isAuthenticated()) return next()
  res.redirect('/login')
}
