'use strict';

const express = require('express');
const { requireHuman } = require('./requireHuman');
const db = require('./db');

const app = express();
const gate = requireHuman({ base: process.env.REP_BASE, apiKey: process.env.REP_KEY });

// our own public API also lives under /api/v1
app.get('/api/v1/votes', gate, async (req, res) => {
  const rows = await db.all('select id, score, category from votes where wallet = ?', req.person.wallets[0]);
  res.json(rows.map((r) => ({ id: r.id, score: r.score || 0, category: r.category })));
});

app.post('/api/v1/votes', gate, express.json(), async (req, res) => {
  const weight = Math.sqrt(req.person.score);
  await db.run('insert into votes (wallet, score) values (?, ?)', req.person.wallets[0], weight);
  res.status(201).end();
});

app.get('/healthz', (req, res) => res.send('ok'));

app.listen(process.env.PORT || 3000);
