const fetch = require('node-fetch');
const { LRUCache } = require('lru-cache');

const BASE_URL = process.env.TALENT_BASE_URL || 'https://api.talentprotocol.com';

class TalentService {
  constructor(apiKey) {
    this.apiKey = apiKey;
    this.cache = new LRUCache({ max: 500, ttl: 1000 * 60 * 15 });
  }

  async _get(path) {
    const res = await fetch(BASE_URL + '/api/v1' + path, { headers: { 'X-API-KEY': this.apiKey } });
    return res.json();
  }

  async getPassport(walletOrId) {
    if (this.cache.has(walletOrId)) return this.cache.get(walletOrId);
    const { passport } = await this._get('/passports/' + walletOrId);
    if (passport) this.cache.set(walletOrId, passport);
    return passport;
  }

  async getScore(wallet) {
    const passport = await this.getPassport(wallet);
    return passport ? passport.score : 0;
  }

  async searchPassports(name) {
    const data = await this._get(`/passports?keyword=${encodeURIComponent(name)}`);
    return data.passports || [];
  }
}

module.exports = { TalentService };
