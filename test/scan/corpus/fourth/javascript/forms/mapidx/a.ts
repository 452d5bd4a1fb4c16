import { listAll } from "./b";
export async function go() {
  const people = await listAll();
  const byId = new Map(people.map((p) => [p.passport_id, p])); // read: passports[].passport_id
  const x = byId.get(3);
  const idx: Record<string, any> = {};
  for (const p of people) idx[p.main_wallet] = p; // read: passports[].main_wallet
  console.log(x?.score, idx["0x"].connections_count); // read: passports[].score, passports[].connections_count
  const names = people.reduce((acc, p) => ({ ...acc, [p.passport_id]: p.passport_profile.tags }), {}); // read: passports[].passport_profile.tags[], passports[].passport_id
  const set = new Set(people.map((p) => p.verified_wallets)); // read: passports[].verified_wallets[]
  return [names, set];
}
