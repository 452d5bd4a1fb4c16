import type { Passport, PassportProfile } from "./types.ts";
import { load } from "./load.ts";

export function describe(holder: Passport): string {
  return `${holder.passport_id}: ${holder.score}`; // read: passport.passport_id, passport.score
}

export const place = (profile: PassportProfile) => profile.location; // read: passport.passport_profile.location

export async function print(id: string) {
  const holder: Passport = await load(id);
  console.log(describe(holder), place(holder.passport_profile)); // read: passport.passport_profile
}
