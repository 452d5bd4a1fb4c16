import { FastifyInstance } from "fastify";
import { sync, topMembers } from "./members";

export default async function routes(app: FastifyInstance) {
  app.get("/members", async () => ({ passports: await topMembers(), pagination: { total: 20 } }));

  app.get<{ Querystring: { keyword: string } }>("/members/search", async (req) => {
    const passports = (await topMembers(500)).filter((m) => m.name.includes(req.query.keyword));
    return { passports, pagination: { total: passports.length, current_page: 1, last_page: 1 } };
  });

  app.post<{ Params: { wallet: string } }>("/members/:wallet/sync", async (req, reply) => {
    const passport = await sync(req.params.wallet);
    if (!passport) return reply.code(404).send({ error: "unknown wallet" });
    return { passport_id: passport.passport_id, score: passport.score };
  });
}
