import { Gateway } from "./gateway";
import type { PassportDto } from "./dto";
const gw = new Gateway({ url: "https://rep.example.org" });
const describe = (p: PassportDto) => `${p.main_wallet}: ${p.passport_profile.bio ?? ""}`; // read: passports[].main_wallet, passports[].passport_profile.bio
export async function run() {
  const found = await gw.search("x");
  const best = found.map(describe);
  const one = await gw.find("1");
  return [best, one?.score ?? 0]; // read: passport.score; hazard: fallback-default
}
