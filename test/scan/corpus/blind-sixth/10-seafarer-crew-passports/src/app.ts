import express from 'express'
import session from 'express-session'
import passport from './auth/local.js'
import { crew } from './routes/crew.js'

const app = express()
app.set('view engine', 'ejs')
app.use(express.urlencoded({ extended: false }))
app.use(session({ secret: process.env.SESSION_SECRET!, resave: false, saveUninitialized: false }))
app.use(passport.initialize())
app.use(passport.session())

app.get('/login', (_req, res) => res.render('login'))
app.post('/login', passport.authenticate('local', { successRedirect: '/', failureRedirect: '/login' }))
app.use(crew)

app.listen(process.env.PORT ?? 8080)
