const axios = require('axios');

// everything below hangs off the old API root
const rep = axios.create({
  baseURL: `${process.env.REP_HOST}/api/v1`,
  timeout: 8000,
  headers: { 'X-API-KEY': process.env.REP_KEY },
});

const discord = axios.create({ baseURL: 'https://discord.com/api/v10' });

async function findByName(keyword) {
  const { data } = await rep.get('/passports', { params: { keyword } }); // call: passport-list
  return data.passports;
}

async function byWallet(wallet) {
  try {
    const { data } = await rep.get('/passports/' + encodeURIComponent(wallet)); // call: passport
    return data.passport;
  } catch (err) { // hazard: catch-default
    console.warn('rank lookup failed', err.message);
    return undefined;
  }
}

async function badges(passportId) {
  const { data } = await rep
    .get('/passport_credentials', { params: { passport_id: passportId } }); // call: passport-credentials
  return data.passport_credentials;
}

async function memberRoles(guild, user) {
  const { data } = await discord.get(`/guilds/${guild}/members/${user}`);
  return data.roles || [];
}

module.exports = { findByName, byWallet, badges, memberRoles };
