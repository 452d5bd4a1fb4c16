const https = require("https");
function fetchPassport(id, callback) {
  https
    .get("https://rep.example.org/api/v1/passports/" + id, function (res) { // call: passport
      const chunks = [];
      res.on("data", (c) => chunks.push(c));
      res.on("end", function () {
        callback(null, JSON.parse(Buffer.concat(chunks).toString()).passport);
      });
    })
    .on("error", callback);
}
fetchPassport(1, function (err, passport) {
  if (err) throw err;
  console.log(passport.score, passport.passport_profile["location"]); // read: passport.score, passport.passport_profile.location
});
