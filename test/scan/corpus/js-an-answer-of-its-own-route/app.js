import axios from "axios";
import express from "express";

const app = express();

app.get("/score/:id", async (req, res) => {
  const { data } = await axios.get(`https://api.example.com/api/v1/passports/${req.params.id}`); // call: passport
  res.json({ score: data.passport.score, main_wallet: data.passport.main_wallet }); // read: passport.score, passport.main_wallet
});

export async function show(id) {
  const answer = await (await fetch("/score/" + id)).json();
  console.log(answer.score, answer.main_wallet, answer.human_checkmark);
}
