import ky from "ky";
import { remember } from "./cache";

const v1 = ky.create({
  prefixUrl: new URL("/api/v1", process.env.REP_ORIGIN).href,
  headers: { "X-API-KEY": process.env.REP_KEY },
});
const v2 = ky.create({ prefixUrl: new URL("/api/v2", process.env.REP_ORIGIN).href });

export const scoreOf = (wallet: string) =>
  remember(`score:${wallet}`, 900, () =>
    v1
      .get(`passports/${wallet}`) // call: passport
      .json<any>()
      .then((b) => b.passport.score) // read: passport.score
      .catch(() => 0), // hazard: catch-default
  );

export const walletsOf = (wallet: string) =>
  remember(`wallets:${wallet}`, 86_400, async () => {
    const { passport } = await v1.get(`passports/${wallet}`).json<any>(); // call: passport
    return new Set<string>([passport["main_wallet"], ...passport["verified_wallets"]]); // read: passport.main_wallet, passport.verified_wallets[]
  });

export const humanityOf = (passportId: string) =>
  remember(`humanity:${passportId}`, 86_400, async () => {
    const reply = await v1.get("passport_credentials", { searchParams: { passport_id: passportId } }).json<any>(); // call: passport-credentials
    const stamp = reply.passport_credentials.find((c: any) => c.type === "humanity"); // read: passport_credentials[].type
    if (!stamp) return null;
    return { points: +stamp.value, at: stamp.last_calculated_at ?? stamp.earned_at }; // read: passport_credentials[].value, passport_credentials[].last_calculated_at, passport_credentials[].earned_at; hazard: string-number
  });

export const newScoreOf = (wallet: string) =>
  remember(`v2score:${wallet}`, 900, async () => {
    const body = await v2.get(`passports/${wallet}`).json<any>();
    return body.passport.score ?? 0;
  });
