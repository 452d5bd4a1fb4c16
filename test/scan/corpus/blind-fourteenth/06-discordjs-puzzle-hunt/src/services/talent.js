const { request } = require('undici');
const { talent } = require('../config');

class TalentService {
  constructor() {
    this.cache = new Map();
    this.headers = { 'x-api-key': talent.apiKey, accept: 'application/json' };
  }

  async getPassport(wallet) {
    const key = wallet.toLowerCase();
    const hit = this.cache.get(key);
    if (hit && hit.expires > Date.now()) return hit.passport;

    const { statusCode, body } = await request(talent.host + talent.endpoints.passport + key, { headers: this.headers });
    if (statusCode === 404) {
      await body.dump();
      return null;
    }
    if (statusCode !== 200) throw new Error(`Talent API answered ${statusCode}`);

    const { passport } = await body.json();
    this.cache.set(key, { passport, expires: Date.now() + 15 * 60_000 });
    return passport;
  }

  async getTopCredentials(passportId, limit = 5) {
    const url = `${talent.host}${talent.endpoints.credentials}?passport_id=${passportId}`;
    const { body } = await request(url, { headers: this.headers });
    const json = await body.json();
    const list = json.passport_credentials || [];
    return list
      .filter((c) => c.score > 0)
      .sort((a, b) => b.score / b.max_score - a.score / a.max_score)
      .slice(0, limit);
  }
}

module.exports = new TalentService();
