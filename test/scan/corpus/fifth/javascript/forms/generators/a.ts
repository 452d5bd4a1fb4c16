export async function* walk(base: string) {
  let page = 1, last = 1;
  do {
    const r = await fetch(`${base}/api/v1/passports?page=${page}`); // call: passport-list
    const body = await r.json();
    last = body.pagination.last_page; // read: pagination.last_page
    yield* body.passports;
    page++;
  } while (page <= last);
}
for await (const p of walk("x")) console.log(p.score); // read: passports[].score
const all = await Array.fromAsync(walk("x"));
console.log(all[0].main_wallet); // read: passports[].main_wallet
const it = walk("x");
const first = await it.next();
console.log(first.value.passport_id); // read: passports[].passport_id
const best = all.reduce((a, b) => (a.score > b.score ? a : b)); // read: passports[].score
console.log(best.human_checkmark); // read: passports[].human_checkmark
const byId = new Map(all.map((p) => [p.passport_id, p])); // read: passports[].passport_id
console.log(byId.get(3)?.main_wallet); // read: passports[].main_wallet
const grouped = Object.groupBy(all, (p) => p.passport_profile.location); // read: passports[].passport_profile.location
console.log(grouped.here[0].score); // read: passports[].score
for (const [loc, list] of Object.entries(grouped)) console.log(loc, list.length, list.map((x) => x.score)); // read: passports[].score
const [top, ...others] = all.toSorted((a, b) => b.score - a.score); // read: passports[].score
console.log(others.map(({ passport_profile: { display_name: name } }) => name)); // read: passports[].passport_profile.display_name
const dict = all.reduce((acc, p) => { acc[p.passport_id] = p; return acc; }, {}); // read: passports[].passport_id
console.log(dict[3].activity_score); // read: passports[].activity_score
const dict2 = all.reduce((acc, p) => ({ ...acc, [p.passport_id]: p }), {}); // read: passports[].passport_id
console.log(dict2[3].activity_score); // read: passports[].activity_score
const dict3 = Object.fromEntries(all.map((p) => [p.main_wallet, p])); // read: passports[].main_wallet
console.log(Object.values(dict3).map((p) => p.skills_score)); // read: passports[].skills_score
