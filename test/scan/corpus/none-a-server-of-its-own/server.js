import express from "express";
import { db } from "./db.js";

const app = express();

app.get("/api/v1/passports/:id", async (req, res) => {
  const row = await db.find(req.params.id);
  res.json({ passport: { score: row.score, main_wallet: row.main_wallet, human_checkmark: row.human_checkmark } });
});
