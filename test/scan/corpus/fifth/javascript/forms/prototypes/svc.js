"use strict";
const { promisify } = require("util");
const request = require("request");
const get = promisify(request.get);
const rp = require("request-promise-native");
function Passports(opts) { this.base = opts.base; this.key = opts.key; }
Passports.prototype.find = function (id, cb) {
  var self = this;
  request({ url: self.base + "/api/v1/passports/" + id, json: true }, function (err, resp, body) { // call: passport
    if (err) return cb(err);
    cb(null, body.passport);
  });
};
Passports.prototype.list = async function () {
  const res = await get({ url: this.base + "/api/v1/passports", json: true }); // call: passport-list
  return res.body.passports;
};
const client = new Passports({ base: process.env.REP });
client.find("1", function (err, passport) { if (!err) console.log(passport.score); }); // read: passport.score
client.list().then(function (list) { return list.map(function (p) { return p.main_wallet; }); }); // read: passports[].main_wallet
rp({ uri: process.env.REP + "/api/v1/passport_credentials", qs: { passport_id: 1 }, json: true }).then((b) => b.passport_credentials.forEach((c) => console.log(c.value))); // call: passport-credentials; read: passport_credentials[].value
const $ = require("jquery");
$.getJSON("/api/v1/passports/1", function (d) { $("#s").text(d.passport.activity_score); }); // call: passport; read: passport.activity_score
$.ajax({ url: "/api/v1/passports/2", success: (d) => show(d.passport), error: () => show(null) }); // call: passport
function show(p) { document.body.innerHTML = p.identity_score; } // read: passport.identity_score
