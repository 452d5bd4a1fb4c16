const V = "v1";
const path = (...parts) => ["/api", V, ...parts].join("/");
const ask = (p, q = {}) => fetch(`${process.env.BASE}${p}?${new URLSearchParams(q)}`).then((r) => r.json());
export const one = async (id) => (await ask(path("passports", id))).passport; // call: passport
export const creds = (id) => ask(path("passport_credentials"), { passport_id: id }); // call: passport-credentials
const { passport_credentials: list } = await creds(1);
const sum = list.reduce((t, { score, max_score: max }) => t + score / max, 0); // read: passport_credentials[].score, passport_credentials[].max_score
console.log(sum, (await one(2)).merged); // read: passport.merged
