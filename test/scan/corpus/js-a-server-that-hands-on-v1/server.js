import express from "express";
import axios from "axios";

const app = express();
const UPSTREAM = process.env.UPSTREAM;

app.get("/profile/:wallet", async (req, res) => {
  const upstream = await axios({ method: "get", url: `${UPSTREAM}/api/v1/passports/${req.params.wallet}` }); // call: passport
  const { passport } = upstream.data;
  res.json({ name: passport.passport_profile.display_name, score: passport.score }); // read: passport.passport_profile.display_name, passport.score
});

app.get("/credentials/:id", async (req, res, next) => {
  try {
    const answer = await axios.get("/api/v1/passport_credentials", { baseURL: UPSTREAM, params: { passport_id: req.params.id } }); // call: passport-credentials
    const scored = answer.data.passport_credentials.filter((c) => c.score > 0); // read: passport_credentials[].score
    res.json(scored.map((c) => c.type)); // read: passport_credentials[].type
  } catch (error) {
    next(error);
  }
});
