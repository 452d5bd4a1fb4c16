const { RESTDataSource } = require("@apollo/datasource-rest");
class PassportAPI extends RESTDataSource {
  constructor() { super(); this.baseURL = process.env.REP; }
  async getPassport(id) { const { passport } = await this.get(`/api/v1/passports/${id}`); return passport; } // call: passport
  async getPassports() { return (await this.get("/api/v1/passports")).passports; } // call: passport-list
}
module.exports = { PassportAPI };
