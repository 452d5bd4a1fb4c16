import pRetry from "p-retry";
import pLimit from "p-limit";
import pMap from "p-map";
const limit = pLimit(3);
const load = async (id: string) => {
  const res = await fetch(`https://r.example.org/api/v1/passports/${id}`); // call: passport
  return (await res.json()).passport;
};
export async function a(id: string) {
  const p = await pRetry(() => load(id), { retries: 3 });
  return p.score; // read: passport.score
}
export async function b(ids: string[]) {
  const all = await Promise.all(ids.map((id) => limit(() => load(id))));
  return all.map((p) => p.skills_score); // read: passport.skills_score
}
export async function c(ids: string[]) {
  const all = await pMap(ids, (id) => load(id), { concurrency: 4 });
  for (const p of all) console.log(p.merged); // read: passport.merged
}
export async function d(ids: string[]) {
  const all = await pMap(ids, load);
  for (const p of all) console.log(p.last_calculated_at); // read: passport.last_calculated_at
}
