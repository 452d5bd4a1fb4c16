import { Hono } from "hono";

const app = new Hono();

type Row = { label: string; path: string };
const rows: Row[] = [
  { label: "Score", path: "passport.score" }, // read: passport.score
  { label: "Name", path: "passport.passport_profile.display_name" }, // read: passport.passport_profile.display_name
];

const pick = (body: any, path: string) => path.split(".").reduce((value, key) => value?.[key], body);

app.get("/frame/:fid", async (c) => {
  const res = await fetch(`${process.env.API_URL}/api/v1/passports/${c.req.param("fid") || ""}`); // call: passport
  const body = await res.json();
  return c.html(rows.map(({ label, path }) => `<p>${label}: ${pick(body, path)}</p>`).join(""));
});

export default app;
