const fetch = require('node-fetch');

const API_URL = 'https://api.talentprotocol.com/api/v1';
const options = { headers: { 'X-API-KEY': process.env.TALENT_API_KEY } };

async function getPassport(walletOrId) {
  const response = await fetch(`${API_URL}/passports/${walletOrId}`, options);
  if (response.status === 404) return null;
  if (!response.ok) {
    throw new Error(`Talent API: ${response.status} ${response.statusText}`);
  }
  const json = await response.json();
  return json.passport;
}

async function getScore(walletOrId) {
  try {
    const passport = await getPassport(walletOrId);
    return passport.score;
  } catch (err) {
    console.log('Could not get score', err.message);
    return 0;
  }
}

async function hasCredential(passportId, type) {
  const response = await fetch(`${API_URL}/passport_credentials?passport_id=${passportId}`, options);
  const { passport_credentials: credentials = [] } = await response.json();
  return credentials.some((credential) => credential.type === type && credential.score > 0);
}

module.exports = { getPassport, getScore, hasCredential };
