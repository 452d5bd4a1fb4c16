import got from 'got';
import { TALENT_API_KEY } from './config.js';

const talent = got.extend({
  prefixUrl: 'https://api.talentprotocol.com/api/v1',
  headers: { 'X-API-KEY': TALENT_API_KEY },
  responseType: 'json',
  timeout: { request: 8000 },
  retry: { limit: 2 },
});

const cache = new Map();
const TTL = 10 * 60 * 1000;

export async function fetchPassport(wallet) {
  const hit = cache.get(wallet);
  if (hit && Date.now() - hit.at < TTL) return hit.passport;

  const { body } = await talent.get(`passports/${wallet}`);
  cache.set(wallet, { at: Date.now(), passport: body.passport });
  return body.passport;
}

export async function fetchScore(wallet) {
  try {
    const passport = await fetchPassport(wallet);
    return passport.score;
  } catch (error) {
    console.error(`score of ${wallet}: ${error.message}`);
    return 0;
  }
}

export async function fetchTop(limit = 10) {
  const { body } = await talent.get('passports', { searchParams: { page: 1 } });
  return body.passports.slice(0, limit);
}

export async function fetchCredentials(passportId) {
  try {
    const { body } = await talent.get('passport_credentials', { searchParams: { passport_id: passportId } });
    return body.passport_credentials;
  } catch {
    return [];
  }
}
