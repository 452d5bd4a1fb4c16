'use strict';

const express = require('express');
const { Pool } = require('pg');
const { fetchPassport, votingPower } = require('./reputation');

const pool = new Pool({ connectionString: process.env.DATABASE_URL });
const app = express();
app.use(express.json());

async function requireHuman(req, res, next) {
  const passport = await fetchPassport(req.headers['x-wallet']);
  if (!passport || !passport.human_checkmark) { // read: passport.human_checkmark
    return res.status(403).json({ error: 'not verified' });
  }
  req.passport = passport;
  return next();
}

app.post('/proposals/:id/votes', requireHuman, async (req, res, next) => {
  try {
    const weight = await votingPower(req.headers['x-wallet']);
    const { rows } = await pool.query(
      'INSERT INTO votes (proposal_id, wallet, score) VALUES ($1, $2, $3) RETURNING *',
      [req.params.id, req.headers['x-wallet'], weight]
    );
    res.status(201).json({ id: rows[0].id, score: rows[0].score, wallet: rows[0].main_wallet });
  } catch (err) {
    next(err);
  }
});

// our own API happens to have the same shape: GET /api/v1/passports is served by the gateway
app.get('/api/v1/votes', async (req, res) => {
  const { rows } = await pool.query('SELECT wallet, score, category FROM votes ORDER BY score DESC');
  const total = rows.reduce((acc, row) => acc + (row.score || 0), 0);
  res.json({ votes: rows.map((row) => ({ wallet: row.wallet, score: row.score })), total });
});

module.exports = app;
