const request = require('superagent');
const NodeCache = require('node-cache');

class TalentService {
  constructor(options = {}) {
    this.host = options.host || process.env.TALENT_HOST || 'https://api.talentprotocol.com';
    this.key = options.key || process.env.TALENT_API_KEY;
    this.cache = new NodeCache({ stdTTL: 900 });
  }

  async _get(path, query = {}) {
    const cacheKey = path + JSON.stringify(query);
    const cached = this.cache.get(cacheKey);
    if (cached) return cached;
    const res = await request
      .get(this.host + '/api/v1' + path)
      .query(query)
      .set('X-API-KEY', this.key)
      .timeout(7000);
    this.cache.set(cacheKey, res.body);
    return res.body;
  }

  async find(name, page = 1) {
    const body = await this._get('/passports', { keyword: name, page });
    return {
      people: body.passports.map(TalentService.summary),
      page: body.pagination.current_page,
      more: body.pagination.current_page < body.pagination.last_page,
    };
  }

  async one(id) {
    const body = await this._get('/passports/' + encodeURIComponent(id));
    return body.passport;
  }

  async badges(id) {
    return this._get('/passport_credentials', { passport_id: id })
      .then((body) => body.passport_credentials)
      .catch(() => []);
  }

  static summary(p) {
    return {
      id: p.passport_id,
      title: p.passport_profile ? p.passport_profile.display_name : p.main_wallet,
      points: p.score || 0,
      human: p.human_checkmark,
    };
  }
}

module.exports = new TalentService();
