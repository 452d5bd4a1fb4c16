import { Router } from "express";
import { db } from "./db";
const router = Router();
router.get("/passports/:id", async (req, res) => {
  const passport = await db.passports.findOne({ id: req.params.id });
  res.json({ passport: { score: passport.score, main_wallet: passport.main_wallet } });
});
export default (app) => { app.use("/api/v1", router); };
