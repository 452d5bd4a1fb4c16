'use strict';

const fetch = require('node-fetch');

const V1 = '/api/v1/passports/';

function requireHuman({ base, apiKey, minScore = 20 }) {
  return async function humanGate(req, res, next) {
    const wallet = req.get('X-Wallet');
    if (!wallet) return res.status(400).json({ error: 'wallet header missing' });

    let answer;
    try {
      answer = await fetch(base + V1 + wallet, { headers: { 'X-API-KEY': apiKey } }); // call: passport
    } catch (e) {
      return next(e);
    }
    if (answer.status === 404) return res.status(403).json({ error: 'no passport' });
    if (!answer.ok) return next(new Error(`reputation service said ${answer.status}`));

    const { passport: { human_checkmark, score, verified_wallets } } = await answer.json(); // read: passport.human_checkmark, passport.score, passport.verified_wallets[]
    if (!human_checkmark || score < minScore) {
      return res.status(403).json({ error: 'humans only', score });
    }
    req.person = { score, wallets: verified_wallets.map((w) => w.toLowerCase()) };
    return next();
  };
}

module.exports = { requireHuman };
