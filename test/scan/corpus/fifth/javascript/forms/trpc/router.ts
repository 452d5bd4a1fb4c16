import { createTRPCRouter, publicProcedure } from "./trpc";
import { Octokit } from "octokit";
const getV1 = async <T>(p: string, init?: RequestInit): Promise<T | undefined> => {
  try { const r = await fetch(`${process.env.REP}/api/v1/${p}`, init); return r.ok ? ((await r.json()) as T) : undefined; } catch { return undefined; } // hazard: fallback-default, catch-default
};
export const router = createTRPCRouter({
  one: publicProcedure.input(String).query(async ({ input }) => {
    const body = await getV1<{ passport: any }>(`passports/${input}`); // call: passport
    if (!body) throw new Error();
    const { passport: { score, passport_socials: socials = [] } } = body; // read: passport.score, passport.passport_socials; hazard: fallback-default
    const gh = await new Octokit().rest.users.getByUsername({ username: "x" });
    return { score, followers: gh.data.followers, names: socials.map((s) => s.profile_name), loc: gh.data.location }; // read: passport.passport_socials[].profile_name
  }),
});
const weights: Record<string, (c: any) => number> = {
  Activity: (c) => c.score / c.max_score, // read: passport_credentials[].score, passport_credentials[].max_score
  Identity: (c) => Number(c.value), // read: passport_credentials[].value; hazard: string-number
};
export async function total(id: number) {
  const creds = (await getV1<any>(`passport_credentials?passport_id=${id}`))?.passport_credentials ?? []; // call: passport-credentials; hazard: fallback-default
  return creds.map((c: any) => weights[c.category]?.(c) ?? 0).reduce((a, b) => a + b, 0); // read: passport_credentials[].category; hazard: fallback-default
}
const isHuman = (p: { human_checkmark: boolean }) => p.human_checkmark; // read: passports[].human_checkmark
const pick = <T, K extends keyof T>(o: T, ...ks: K[]) => Object.fromEntries(ks.map((k) => [k, o[k]]));
export const humans = async () => (await getV1<any>("passports"))!.passports.filter(isHuman).map((p) => pick(p, "passport_id", "main_wallet")); // call: passport-list; read: passports[].passport_id, passports[].main_wallet
const proxied = new Proxy({} as any, { get: (_, id: string) => getV1<any>(`passports/${id}`) }); // call: passport
const cmp = (k: string) => (a: any, b: any) => b[k] - a[k];
export const ranked = async () => (await getV1<any>("passports"))!.passports.sort(cmp("score")); // call: passport-list; read: passports[].score
