const express = require('express');
const session = require('express-session');
const { TalentService } = require('./services/talentService');
const members = require('./routes/members');

const app = express();
const talent = new TalentService(process.env.TALENT_API_KEY);

app.use(express.json());
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false }));
app.use('/api/members', members(talent));

app.use((err, req, res, next) => {
  console.error(err);
  res.status(502).json({ error: 'upstream failed' });
});

app.listen(process.env.PORT || 3000);
