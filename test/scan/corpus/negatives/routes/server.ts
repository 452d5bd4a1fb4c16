import express from "express";
const app = express();
const router = express.Router();
router.get("/api/v1/passports/:id", (req, res) => res.json({ passport: load(req.params.id) }));
app.get("/api/v1/passports", (req, res) => res.json({ passports: all() }));
app.use("/api/v1/passports", router);
console.log("listening on /api/v1/passports");
if (location.pathname.startsWith("/api/v1/passports")) console.log("own");
