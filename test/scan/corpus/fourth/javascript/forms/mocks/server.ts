import express from "express";
import Fastify from "fastify";
const api = express.Router();
api.get("/api/v1/passports/:id", async (req, res) => res.json({ passport: { score: 3 } }));
const f = Fastify();
f.route({ method: "GET", url: "/api/v1/passports", handler: async () => ({ passports: [] }) });
f.get("/api/v1/passport_credentials", async (request, reply) => ({ passport_credentials: [] }));
export default api;
