const memoize = require("lodash/memoize");
const axios = require("axios");
const fetchPassport = memoize(async (id) => {
  const { data } = await axios.get(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  return data.passport;
});
exports.wallets = async (id) => (await fetchPassport(id)).verified_wallets; // read: passport.verified_wallets[]
exports.withCache = async (cache, id) => {
  const p = await cache.wrap(id, () => fetchPassport(id));
  return p.human_checkmark; // read: passport.human_checkmark
};
