const { request } = require('undici');
const { talent } = require('./config');

const cache = new Map();
const TTL = 10 * 60 * 1000;

async function call(path, query) {
  const { statusCode, body } = await request(talent.host + path, {
    query,
    headers: { 'x-api-key': talent.key },
    headersTimeout: 8000,
  });
  if (statusCode === 404) {
    await body.dump();
    return null;
  }
  if (statusCode !== 200) {
    throw new Error(`Talent API: HTTP ${statusCode}`);
  }
  return body.json();
}

async function getPassport(wallet) {
  const hit = cache.get(wallet);
  if (hit && Date.now() - hit.at < TTL) return hit.passport;

  const json = await call(`/api/v1/passports/${wallet}`);
  const passport = json && json.passport;
  cache.set(wallet, { at: Date.now(), passport });
  return passport;
}

async function getCredentials(passportId) {
  const json = await call('/api/v1/passport_credentials', { passport_id: passportId });
  return json ? json.passport_credentials : [];
}

async function top(n = 10) {
  const { body } = await request(`${talent.host}/api/v1/passports`, {
    headers: { 'x-api-key': talent.key },
  });
  const { passports = [] } = await body.json();
  return passports.slice(0, n);
}

module.exports = { getPassport, getCredentials, top };
