import { createClient } from "./make";
const api = createClient({ baseUrl: "https://rep.example.org", apiKey: process.env.K });
export const f = async (id) => {
  const p = await api.passports.get(id);
  const { passports, pagination: { total } } = await api.passports.list("a"); // read: pagination.total
  const cs = await api.credentials(id);
  const last = cs.at(-1);
  return [p.activity_score, passports.length, total, last.earned_at, cs.find((c) => c.type === "x")?.value]; // read: passport.activity_score, passport_credentials[].earned_at, passport_credentials[].type, passport_credentials[].value
};
