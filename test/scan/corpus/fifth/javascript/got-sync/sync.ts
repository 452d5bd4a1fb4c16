import got from "got";
import { db } from "./db";

const v1 = got.extend({
  prefixUrl: (process.env.REP_URL || "https://rep.example.org") + "/api/v1",
  headers: { "X-API-KEY": process.env.REP_KEY },
  retry: { limit: 2 },
});

const v2 = got.extend({ prefixUrl: "https://rep.example.org/api/v2" });

export async function syncUser(user: { id: string; wallet: string; score: number }) {
  const body: any = await v1.get(`passports/${user.wallet}`).json(); // call: passport
  const fresh = body.passport;
  if (fresh.score !== user.score) { // read: passport.score
    await db.users.update(user.id, { score: fresh.score, at: fresh.last_calculated_at }); // read: passport.score, passport.last_calculated_at
  }
  const next: any = await v2.get("passports", { searchParams: { id: user.wallet } }).json();
  return next.passports[0].score;
}

export async function syncCredentials(id: string) {
  const { passport_credentials: list } = await v1("passport_credentials", { // call: passport-credentials
    searchParams: { passport_id: id },
  }).json<{ passport_credentials: any[] }>();
  for (const { id: cid, type, earned_at: earnedAt } of list) { // read: passport_credentials[].id, passport_credentials[].type, passport_credentials[].earned_at
    await db.credentials.upsert({ cid, type, earnedAt });
  }
}
