const express = require("express");
const axios = require("axios");
const NodeCache = require("node-cache");
const cache = new NodeCache({ stdTTL: 60 });
const v1 = axios.create({ baseURL: process.env.REP + "/api/v1", timeout: 3000 });
v1.interceptors.response.use((r) => r.data);
const app = express();
async function loadPassport(req, res, next) {
  try {
    let body = cache.get(req.params.id);
    if (!body) {
      body = await v1.get("/passports/" + req.params.id); // call: passport
      cache.set(req.params.id, body);
    }
    req.passport = body.passport;
    res.locals.passport = body.passport;
    next();
  } catch (e) { next(e); }
}
app.get("/score/:id", loadPassport, (req, res) => res.json({ score: req.passport.score })); // read: passport.score
app.get("/bio/:id", loadPassport, (req, res) => res.render("bio", { bio: res.locals.passport.passport_profile.bio })); // read: passport.passport_profile.bio
app.get("/creds/:id", async (req, res) => {
  const { passport_credentials: creds } = await v1.get("/passport_credentials", { params: { passport_id: req.params.id } }); // call: passport-credentials
  const totals = {};
  for (const c of creds) totals[c.category] = (totals[c.category] || 0) + c.score; // read: passport_credentials[].category, passport_credentials[].score
  res.json(totals);
});
app.get("/travel", (req, res) => res.json({ score: req.user.score, passport: req.user.passport_no }));
