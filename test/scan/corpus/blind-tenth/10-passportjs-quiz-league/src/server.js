import express from 'express'
import session from 'express-session'
import passport from './auth.js'
import players from './routes/players.js'

const app = express()

app.use(express.json())
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false }))
app.use(passport.initialize())
app.use(passport.session())

app.get('/auth/google', passport.authenticate('google', { scope: ['profile'] }))
app.get('/auth/google/callback', passport.authenticate('google', { failureRedirect: '/login' }), (_req, res) => res.redirect('/'))
app.use('/api/v1/players', players)
app.use(express.static('public'))

app.listen(process.env.PORT ?? 3000)
