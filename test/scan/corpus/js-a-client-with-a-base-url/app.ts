import { fetchCredentials, fetchPassport } from "./client";

export async function summarise(id: string) {
  const [holder, credentials] = await Promise.all([fetchPassport(id), fetchCredentials(id)]);
  const best = credentials.reduce((top, item) => Math.max(top, item.score), 0); // read: passport_credentials[].score
  return { best, stale: Date.parse(holder.last_calculated_at) < Date.now() - 1e9, merged: holder?.merged }; // read: passport.last_calculated_at, passport.merged
}

export async function nextId(id: string) {
  const holder = await fetchPassport(id);
  return parseInt(holder.passport_id, 10) + 1; // read: passport.passport_id; hazard: integer-id
}
