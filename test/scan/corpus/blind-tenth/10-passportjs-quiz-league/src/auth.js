import passport from 'passport'
import { Strategy as GoogleStrategy } from 'passport-google-oauth20'
import { db, findProfile } from './db.js'

passport.use(
  new GoogleStrategy(
    {
      clientID: process.env.GOOGLE_CLIENT_ID,
      clientSecret: process.env.GOOGLE_CLIENT_SECRET,
      callbackURL: '/auth/google/callback',
    },
    async (_access, _refresh, profile, done) => {
      try {
        const [row] = await db('passport_profiles')
          .insert({ provider: profile.provider, display_name: profile.displayName })
          .returning('*')
        done(null, row)
      } catch (err) {
        done(err)
      }
    },
  ),
)

passport.serializeUser((user, done) => done(null, user.passport_id))
passport.deserializeUser((id, done) => findProfile(id).then((u) => done(null, u), done))

export default passport
