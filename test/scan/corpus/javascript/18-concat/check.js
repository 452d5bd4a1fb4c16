const https = require("https");

function check(id, callback) {
  https.get({ hostname: "api.example.com", path: "/api/v1/passports/" + id, headers: {} }, (res) => { // call: passport
    let raw = "";
    res.on("data", (chunk) => {
      raw += chunk;
    });
    res.on("end", () => {
      const answer = JSON.parse(raw);
      callback(answer.passport.human_checkmark && answer.passport.verified_wallets.length > 0); // read: passport.human_checkmark, passport.verified_wallets[]
    });
  });
}

async function sum(id) {
  const r = await fetch("https://api.example.com".concat("/api/v1", "/passports/", id)); // call: passport
  const { passport: { passport_socials: socials } } = await r.json(); // read: passport.passport_socials
  return socials.reduce((n, s) => n + s.follower_count, 0); // read: passport.passport_socials[].follower_count; hazard: string-number
}

module.exports = { check, sum };
