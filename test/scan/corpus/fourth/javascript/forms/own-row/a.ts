const url = (id: number) => `https://rep.example.org/api/v1/passports/${id}`;
type Row = { score: number; location: string };
export async function row(id: number): Promise<Row> {
  const { passport: p } = await (await fetch(url(id))).json(); // call: passport
  return { score: p.score, location: p.passport_profile.location }; // read: passport.score, passport.passport_profile.location
}
export const show = (r: Row) => `${r.score} ${r.location}`;
export async function all() { const rows = await Promise.all([1, 2].map(row)); return rows.map((r) => r.score).concat(rows.map((r) => r.location.length)); }
