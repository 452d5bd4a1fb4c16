import express from "express";
import { rep } from "./rep";
const app = express();
app.get("/people/:id", async (req, res, next) => {
  try {
    const p = await rep.passport(req.params.id);
    res.json({ name: p.passport_profile.display_name, score: p.score ?? 0 }); // read: passport.passport_profile.display_name, passport.score; hazard: fallback-default
  } catch (e) { next(e); }
});
app.locals.load = async () => (await rep.passport("1")).identity_score; // read: passport.identity_score
