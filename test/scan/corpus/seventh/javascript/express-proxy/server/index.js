const express = require("express");
const axios = require("axios");

const app = express();
const upstream = axios.create({ baseURL: process.env.PASSPORT_API || "https://api.example.com/api/v1" });

app.get("/score/:wallet", async (req, res) => {
  try {
    const { data } = await upstream.get(`/passports/${req.params.wallet}`); // call: passport
    res.json({ score: data.passport.score, human: data.passport.human_checkmark, profile: data.passport.passport_profile }); // read: passport.score, passport.human_checkmark, passport.passport_profile
  } catch (e) { // hazard: catch-default
    res.json({ score: 0, human: false });
  }
});

app.listen(3000);
