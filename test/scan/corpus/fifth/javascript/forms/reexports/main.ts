import { passports, credentials } from "./api";
import type { Summary } from "./types";
const toSummary = (p: any): Summary => ({ id: p.passport_id, points: p.score, name: p.passport_profile.display_name }); // read: passports[].passport_id, passports[].score, passports[].passport_profile.display_name
const page = await passports.list("x");
const rows = page.passports.map(toSummary);
console.table(rows.map((r) => r.points));
const { passport } = await passports.one("1");
switch (passport.passport_socials[0]?.source) { // read: passport.passport_socials[].source
  case "lens": console.log(passport.passport_socials.find((s) => s.source === "lens")!.profile_url); // read: passport.passport_socials, passport.passport_socials[].source, passport.passport_socials[].profile_url
}
const { passport_credentials } = await credentials.of(1);
const byType: Record<string, any[]> = {};
for (const c of passport_credentials) (byType[c.type] ??= []).push(c); // read: passport_credentials[].type
Object.keys(byType).forEach((t) => console.log(t, byType[t].map((c) => c.earned_at))); // read: passport_credentials[].earned_at
const newest = passport_credentials.sort((a, b) => Date.parse(b.earned_at) - Date.parse(a.earned_at)).at(0); // read: passport_credentials[].earned_at
if (newest) console.log(`${newest["name"]}`); // read: passport_credentials[].name
const max = Math.max(...passport_credentials.map((c) => c.max_score)); // read: passport_credentials[].max_score
const set = new Set(passport_credentials.map((c) => c.category)); // read: passport_credentials[].category
let total = 0;
passport_credentials.forEach(function (this: any, cred: any) { total += cred.score; }); // read: passport_credentials[].score
for (let i = 0; i < page.passports.length; i++) { const q = page.passports[i]; if (q.last_calculated_at) console.log(q.last_calculated_at); } // read: passports[].last_calculated_at
while (page.pagination.current_page < page.pagination.last_page) break; // read: pagination.current_page, pagination.last_page
