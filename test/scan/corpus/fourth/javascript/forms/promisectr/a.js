const https = require("https");
function getJson(path) {
  return new Promise((resolve, reject) => {
    https.get({ hostname: "rep.example.org", path, headers: {} }, (res) => {
      let raw = "";
      res.on("data", (chunk) => { raw += chunk; });
      res.on("end", () => resolve(JSON.parse(raw)));
    }).on("error", reject);
  });
}
async function run(id) {
  const body = await getJson("/api/v1/passports/" + id); // call: passport
  console.log(body.passport.score, body.passport.passport_profile.location); // read: passport.score, passport.passport_profile.location
}
run(1);
