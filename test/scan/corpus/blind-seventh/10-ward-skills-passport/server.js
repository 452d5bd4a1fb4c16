const express = require('express');
const session = require('express-session');
const passport = require('./auth');
const { passportOf, listPassports, saveObservation } = require('./db');
const { credentialsOf } = require('./accredible');

const app = express();
app.use(express.json());
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false }));
app.use(passport.initialize());
app.use(passport.session());
app.use(express.static('public'));

app.get('/login', passport.authenticate('openidconnect'));
app.get('/login/callback', passport.authenticate('openidconnect', { successRedirect: '/', failureRedirect: '/login' }));

const guard = (req, res, next) => (req.isAuthenticated() ? next() : res.status(401).json({ error: 'log in' }));

app.get('/api/v1/passports', guard, async (req, res, next) => {
  try {
    res.json(await listPassports(req.query.ward, Number(req.query.page ?? 1)));
  } catch (e) {
    next(e);
  }
});

app.get('/api/v1/passports/:id', guard, async (req, res, next) => {
  try {
    const found = await passportOf(req.params.id);
    if (!found) return res.status(404).json({ error: 'no skills passport' });
    const credentials = await credentialsOf(req.user.email);
    res.json({ passport: found, credentials, ready: found.score >= 3.5 && credentials.length > 0 });
  } catch (e) {
    next(e);
  }
});

app.post('/api/v1/passports/:id/observations', guard, async (req, res, next) => {
  try {
    await saveObservation({ passportId: req.params.id, assessor: req.user.id, ...req.body });
    res.status(201).end();
  } catch (e) {
    next(e);
  }
});

if (require.main === module) app.listen(process.env.PORT || 3000);
module.exports = app;
