const base = process.env.TALENT_BASE_URL;

async function* pages() {
  let page = 1;
  while (true) {
    const res = await fetch(`${base}/api/v1/passports?page=${page}`, { headers: { "X-API-KEY": process.env.TALENT_KEY } }); // call: passport-list
    if (res.status === 401) throw new Error("unauthorized");
    const { passports, pagination } = await res.json(); // read: pagination
    yield* passports;
    if (pagination.current_page >= pagination.last_page) return; // read: pagination.current_page, pagination.last_page
    page += 1;
  }
}

export async function fetchAll() {
  let all = [];
  for (let page = 1; ; page++) {
    const answer = await fetch(base + "/api/v1/passports?page=" + page).then((r) => r.json()); // call: passport-list
    all = all.concat(answer.passports ?? []); // hazard: fallback-default
    if (page >= answer.pagination.last_page) break; // read: pagination.last_page
  }
  return all.sort((a, b) => b.score - a.score).map((p) => p.main_wallet); // read: passports[].score, passports[].main_wallet
}

for await (const person of pages()) {
  console.log(person.passport_id, person.skills_score); // read: passports[].passport_id, passports[].skills_score
}
