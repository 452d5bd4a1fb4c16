const { URL } = require("url");
class RepClient {
  constructor({ base = process.env.REP_BASE || "https://rep.example.org", key } = {}) {
    this.base = base;
    this.key = key;
  }
  async _get(path, params = {}) {
    const url = new URL(`/api/v1/${path}`, this.base);
    for (const [k, v] of Object.entries(params)) url.searchParams.set(k, v);
    const response = await fetch(url, { headers: { "X-API-KEY": this.key } });
    if (response.status === 404) return null; // hazard: status-default
    return response.json();
  }
  async full(id) {
    const [{ passport }, { passport_credentials: credentials }] = await Promise.all([
      this._get(`passports/${id}`), // call: passport
      this._get("passport_credentials", { passport_id: id }), // call: passport-credentials
    ]);
    return { passport, credentials };
  }
}
module.exports = { RepClient };
