import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
const app = new Hono<{ Variables: { passport: any } }>();
const withPassport = createMiddleware(async (c, next) => {
  const r = await fetch(`${c.env.REP}/api/v1/passports/${c.req.param("id")}`); // call: passport
  const { passport } = await r.json();
  c.set("passport", passport);
  await next();
});
app.get("/p/:id", withPassport, (c) => c.json({ s: c.get("passport").score })); // read: passport.score
app.get("/q/:id", withPassport, async (c) => { const { human_checkmark: ok } = c.var.passport; return c.text(ok ? "y" : "n"); }); // read: passport.human_checkmark
