import { createClient, type Client } from "./client";
const client = createClient();
export async function run(c: Client = client) {
  const p = await c.passport("1");
  if (!p) return;
  console.log(p.score, p?.passport_profile?.location); // read: passport.score, passport.passport_profile.location
  for await (const batch of c.pages()) for (const { main_wallet, ...x } of batch) console.log(main_wallet, x.score); // read: passports[].main_wallet, passports[].score
}
export async function typed(c: Client) {
  const creds = await c.credentials(1);
  const [a, b] = [creds.filter((x) => x.category === "Activity"), creds.filter((x) => x.type !== "y")]; // read: passport_credentials[].category, passport_credentials[].type
  return a.concat(b).map((x) => x.max_score); // read: passport_credentials[].max_score
}
const deps = { client, log: console };
export const handler = (d: typeof deps) => d.client.passport("1").then((p) => p.merged); // read: passport.merged
