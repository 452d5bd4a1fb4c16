import type { Passport, Social } from "./types";
import { load } from "./load";
const weigh = (s: Social) => s.profile_name.length; // read: passport.passport_socials[].profile_name
export function rank(list: Passport[]) {
  return list.toSorted((a, b) => b.activity_score - a.activity_score).map((p) => p.passport_socials.map(weigh)); // read: passport.activity_score, passport.passport_socials
}
export async function top(ids: string[]) { return rank(await Promise.all(ids.map(load))); }
