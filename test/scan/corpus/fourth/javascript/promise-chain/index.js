const axios = require("axios");

const instance = axios.create({ baseURL: process.env.REP || "https://rep.example.org/" });
instance.interceptors.response.use((response) => response.data);

function topName(keyword) {
  return instance
    .get("api/v1/passports", { params: { keyword } }) // call: passport-list
    .then((body) => body.passports[0])
    .then((first) => first && first.passport_profile.display_name) // read: passports[].passport_profile.display_name
    .catch(() => null); // hazard: catch-default
}

function walletsOf(id) {
  return instance.get("api/v1/passports/" + id).then(({ passport: { main_wallet, verified_wallets } }) => // call: passport; read: passport.main_wallet, passport.verified_wallets[]
    [main_wallet].concat(verified_wallets),
  );
}

function documents(userId) {
  return axios
    .get(`https://identity.example.com/api/v2/passports/${userId}`)
    .then((r) => r.data.passport)
    .then((doc) => ({ wallet: doc.main_wallet, score: doc.score }));
}

function both(id, keyword) {
  return Promise.all([topName(keyword), walletsOf(id), documents(id)]).then(([name, wallets, docs]) => ({
    name,
    wallets,
    main_wallet: docs.wallet,
  }));
}

module.exports = { topName, walletsOf, both };
