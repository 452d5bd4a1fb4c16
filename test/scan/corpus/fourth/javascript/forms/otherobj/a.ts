import { load } from "./b";
const game = { score: 3, name: "x", category: "y", verified_wallets: ["a"], passport_profile: { bio: "q" } };
export const g = () => game.score + game.verified_wallets.length + game.passport_profile.bio;
export async function both() {
  const p = await load("1");
  const rows = [{ score: p.score, human_checkmark: true }]; // read: passport.score
  return rows.map((r) => r.human_checkmark && r.score);
}
