"use strict";

const BASE = process.env.REP_BASE || "https://rep.example.org";
const V1 = BASE + "/api/v1";

const MAIL = {
  host: "smtp.example.com",
  port: 587,
  from: "Team <team@example.com>",
};

module.exports = {
  BASE,
  CREDENTIALS: V1 + "/passport_credentials",
  MAIL,
};
