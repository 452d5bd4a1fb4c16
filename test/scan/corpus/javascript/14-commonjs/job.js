const axios = require("axios");
const { passportUrl, LIST_URL } = require("./constants");

async function sync(ids) {
  const results = await Promise.all(ids.map((id) => axios.get(passportUrl(id)))); // call: passport
  return results.map((result) => result.data.passport).filter((p) => p.merged === false); // read: passport.merged
}

async function newest() {
  const response = await axios.get(LIST_URL).catch(() => null); // call: passport-list; hazard: catch-default
  const newestFirst = response?.data?.passports?.map((p) => p.last_calculated_at) || []; // read: passports[].last_calculated_at; hazard: fallback-default
  return newestFirst[0];
}

module.exports = { sync, newest };
