type Passport = { id: string; score: number; country: string };
const passports: Passport[] = [{ id: "1", score: 2, country: "PT" }];
export const byId = (id: string) => passports.find((p) => p.id === id)?.score ?? 0;
export const route = "/passports";
const doc = "see https://docs.example.org/api/v1/passports for the old API";
export async function border(n: string) {
  const r = await fetch(`https://border.example.gov/v1/passports/${n}`);
  const { passport } = await r.json();
  return passport.score + passport.location;
}
