import type { Passport } from "./types.ts";

export async function load(id: string): Promise<Passport> {
  const res = await fetch(`https://api.example.com/api/v1/passports/${encodeURIComponent(id)}`); // call: passport
  if (res.status !== 200) throw new Error("no passport");
  const body: { passport: Passport } = await res.json();
  return body.passport;
}
