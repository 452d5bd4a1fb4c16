import { Hono } from "hono";
const v1 = new Hono();
v1.get("/api/v1/passports/:id", (c) => c.json({ passport: {} }));
export default v1;
