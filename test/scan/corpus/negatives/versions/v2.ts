const BASE = "https://api.example.com/api/v2";
export async function score(id: string) {
  const res = await fetch(`${BASE}/passports/${id}`);
  const { passport } = await res.json();
  return passport.score ?? 0;
}
export const old = (id: string) => `https://api.example.com/api/v10/passports/${id}`;
