var request = require("superagent");
var API = "https://api.example.com/api/v1/";

function loadScore(id, done) {
  request
    .get(API + "passports/" + id) // call: passport
    .then(function (res) {
      var holder = res.body.passport;
      done(null, holder.score, holder.connections_count); // read: passport.score, passport.connections_count
    })
    .catch(function (err) {
      done(err);
    });
}

function loadCredentials(id) {
  return fetch(API + "passport_credentials?passport_id=" + id) // call: passport-credentials
    .then((r) => (r.ok ? r.json() : Promise.reject(r.status)))
    .then((b) => b.passport_credentials)
    .then((list) => list.filter((c) => c.value !== null && c.id.startsWith("x"))) // read: passport_credentials[].value, passport_credentials[].id
    .catch(() => []); // hazard: catch-default
}

module.exports = { loadScore, loadCredentials };
