import { Rep } from "./rep";
const rep = new Rep(process.env.KEY!);
export async function main() {
  const h = await rep.holder("1");
  if (!h.human_checkmark) return; // read: passport.human_checkmark
  for await (const batch of rep.pages("x")) {
    for (const { main_wallet, passport_profile: { tags = [] } } of batch) console.log(main_wallet, tags); // read: passports[].main_wallet, passports[].passport_profile.tags[]; hazard: fallback-default
  }
}
