// Already migrated. Old calls were /api/v1/passports and /api/v1/passport_credentials.
const ORIGIN = process.env.REP_ORIGIN ?? "https://rep.example.org";

async function v2<T>(path: string, id: string): Promise<T> {
  const url = new URL(path, ORIGIN);
  url.searchParams.set("id", id);
  url.searchParams.set("account_source", "wallet");
  const res = await fetch(url, { headers: { "X-API-KEY": process.env.REP_KEY! } });
  if (!res.ok) throw new Error(`${res.status}`);
  return res.json();
}

export const score = async (id: string) => (await v2<{ score: { points: number; last_calculated_at: string } }>("/score", id)).score;

export const profile = async (id: string) =>
  (await v2<{ profile: { id: string; display_name: string; human_checkmark: boolean; bio: string } }>("/profile", id)).profile;

export const credentials = async (id: string) =>
  (await v2<{ credentials: { slug: string; points: number; max_score: number }[] }>("/credentials", id)).credentials;
