const axios = require("axios").default;
const rep = axios.create({ baseURL: "https://rep.example.org" });
rep.interceptors.request.use((c) => c);
axios.all([rep.get("/api/v1/passports/1"), rep.get("/api/v1/passports")]).then(axios.spread((one, many) => { // call: passport, passport-list
  console.log(one.data.passport.score, many.data.passports.length); // read: passport.score
}));
async function go() {
  const { data: { passport } } = await rep({ url: "/api/v1/passports/" + 3, method: "GET" }); // call: passport
  return passport.main_wallet; // read: passport.main_wallet
}
go();
