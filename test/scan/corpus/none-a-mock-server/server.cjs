const express = require("express");
const fixtures = require("./fixtures.cjs");

const app = express();

// A stand-in for local development: it serves the old paths, it never calls them.
app.get("/api/v1/passports", (req, res) => {
  const keyword = String(req.query.keyword || "");
  const passports = fixtures.passports.filter((p) => p.passport_profile.display_name.includes(keyword));
  passports.sort((a, b) => b.score - a.score);
  res.json({ passports, pagination: { current_page: 1, last_page: 1, total: passports.length } });
});

app.get("/api/v1/passports/:id", (req, res) => {
  const passport = fixtures.passports.find((p) => String(p.passport_id) === req.params.id);
  if (!passport) return res.status(404).json({ error: "Resource not found." });
  res.json({ passport });
});

app.listen(process.env.PORT || 4010);
