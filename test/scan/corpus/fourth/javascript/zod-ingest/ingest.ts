import { PassportBody, Player } from "./schema";

const { REP_BASE = "https://rep.example.org" } = process.env;

export async function ingest(id: number) {
  const raw = await fetch(REP_BASE + "/api/v1/passports/" + id).then((r) => r.json()); // call: passport
  const parsed = PassportBody.safeParse(raw);
  if (!parsed.success) return null; // hazard: status-default
  const { passport } = parsed.data;
  let fans = 0;
  for (const social of passport.passport_socials) { // read: passport.passport_socials
    fans += Number(social.follower_count ?? "0") - Number(social.following_count); // read: passport.passport_socials[].follower_count, passport.passport_socials[].following_count
    if (social.source === "github") { // read: passport.passport_socials[].source
      console.log(social.profile_bio?.slice(0, 20)); // read: passport.passport_socials[].profile_bio
    }
  }
  return { id: passport.passport_id, score: passport.score ?? 0, fans }; // read: passport.passport_id, passport.score; hazard: fallback-default
}

export async function player(tag: string) {
  const raw = await (await fetch(`https://games.example.com/api/v1/players/${tag}`)).json();
  const p = Player.parse(raw);
  return p.score + p.source.length;
}
