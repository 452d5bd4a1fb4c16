const request = require("superagent");
request
  .get("https://rep.example.org/api/v1/passports/3") // call: passport
  .set("X-API-KEY", "k")
  .end((err, res) => {
    if (err) return;
    console.log(res.body.passport.main_wallet); // read: passport.main_wallet
  });
