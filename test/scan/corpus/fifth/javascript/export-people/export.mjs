import { writeFile } from "node:fs/promises";

const base = new URL(process.env.PEOPLE_API ?? "https://rep.example.org/");

async function page(n, keyword) {
  const url = new URL("/api/v1/passports", base);
  url.searchParams.set("page", String(n));
  if (keyword) url.searchParams.append("keyword", keyword);
  const res = await fetch(url, { headers: { "X-API-KEY": process.env.PEOPLE_KEY } }); // call: passport-list
  return res.json();
}

async function everything(keyword) {
  const rows = [];
  let n = 1;
  for (;;) {
    const { passports, pagination } = await page(n, keyword); // read: pagination
    for (const person of passports) {
      rows.push([
        person.passport_id, // read: passports[].passport_id
        person.passport_profile?.location ?? "", // read: passports[].passport_profile.location
        person.identity_score, // read: passports[].identity_score
        person.verified_wallets.join("|"), // read: passports[].verified_wallets[]
      ]);
    }
    if (pagination.current_page >= pagination.last_page) break; // read: pagination.current_page, pagination.last_page
    n += 1;
  }
  return rows;
}

const rows = await everything(process.argv[2]);
await writeFile("people.csv", rows.map((r) => r.join(",")).join("\n"));
const summary = { total: rows.length, current_page: 1 };
console.log(summary.total, summary.current_page);
