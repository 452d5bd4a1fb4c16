const _ = require("lodash");
const axios = require("axios");
const { BASE, CREDENTIALS } = require("./config");

async function greet(wallet) {
  const res = await axios({ method: "get", url: `${BASE}/api/v1/passports/${wallet}`, timeout: 4000 }); // call: passport
  const name = _.get(res.data, "passport.passport_profile.display_name", "friend"); // read: passport.passport_profile.display_name
  const score = _.get(res, ["data", "passport", "score"], 0); // read: passport.score; hazard: fallback-default
  const wallets = _.get(res.data.passport, "verified_wallets"); // read: passport.verified_wallets[]
  return `Dear ${name}, your score is ${score} with ${_.size(wallets)} wallets`;
}

async function recap(id) {
  const { data } = await axios.get(CREDENTIALS, { params: { passport_id: id } }); // call: passport-credentials
  const byCategory = _.groupBy(data.passport_credentials, "category"); // read: passport_credentials[].category
  return _.mapValues(byCategory, (items) => _.sumBy(items, (c) => c.score)); // read: passport_credentials[].score
}

async function newsletter(subscriber) {
  const res = await axios.get(`https://mail.example.com/api/v1/subscribers/${subscriber}`);
  return _.get(res.data, "profile.display_name", "") + _.get(res.data, "score", 0);
}

module.exports = { greet, recap, newsletter };
