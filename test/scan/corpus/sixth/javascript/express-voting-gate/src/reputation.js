'use strict';

const axios = require('axios');

const client = axios.create({
  baseURL: process.env.REPUTATION_BASE || 'https://reputation.example/api/v1',
  timeout: 5000,
  headers: { 'X-API-KEY': process.env.REPUTATION_KEY },
});

async function fetchPassport(idOrWallet) {
  try {
    const { data } = await client.get(`/passports/${encodeURIComponent(idOrWallet)}`); // call: passport
    return data.passport;
  } catch (err) { // hazard: catch-default
    console.warn('passport lookup failed', err.message);
    return null;
  }
}

async function fetchCredentials(passportId) {
  const response = await client.get('/passport_credentials', { // call: passport-credentials
    params: { passport_id: passportId },
  });
  return response.data.passport_credentials || []; // hazard: fallback-default
}

async function votingPower(wallet) {
  const passport = await fetchPassport(wallet);
  if (!passport) return null;
  const { score, human_checkmark: human } = passport; // read: passport.score, passport.human_checkmark
  if (!human) return 0;
  const credentials = await fetchCredentials(passport.passport_id); // read: passport.passport_id
  const skills = credentials
    .filter((c) => c.category === 'Skills') // read: passport_credentials[].category
    .reduce((sum, c) => sum + (c.score || 0), 0); // read: passport_credentials[].score; hazard: fallback-default
  return Math.floor(score / 10) + skills;
}

module.exports = { fetchPassport, fetchCredentials, votingPower };
