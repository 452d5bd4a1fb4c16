import got from "got";
const client = got.extend({ prefixUrl: process.env.REP + "/api/v1", responseType: "json" });
const { body } = await client("passports/7"); // call: passport
console.log(body.passport.verified_wallets.length); // read: passport.verified_wallets[]
const data = await got("https://rep.example.org/api/v1/passports", { searchParams: { keyword: "a" } }).json(); // call: passport-list
for (const p of data.passports) console.log(p.calculating_score ? "…" : p.score); // read: passports[].calculating_score, passports[].score
