const passport = require("passport");
const express = require("express");
const app = express();
app.use(passport.initialize());
app.post("/api/v1/login", passport.authenticate("local"), (req, res) => res.json(req.user));
app.get("/api/v1/me", passport.authenticate("jwt", { session: false }), async (req, res) => {
  const { score, name } = await db.users.find(req.user.passport_id);
  res.json({ score: score || 0, name: name ?? "" });
});
passport.use(new Strategy(async (payload, done) => {
  try { done(null, await find(payload.passport.id)); } catch (error) { done(null, null); }
}));
