import { load, PassportDto } from "./a";
const label = (p: PassportDto) => (p.human_checkmark ? "human" : "?") + p.main_wallet; // read: passport.human_checkmark, passport.main_wallet
export async function show(id: string) {
  const p = await load(id);
  return label(p) + p.score.toFixed(1); // read: passport.score
}
