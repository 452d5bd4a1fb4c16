const FIELDS = ["passport_id", "score", "main_wallet"] as const; // read: passports[].passport_id, passports[].score, passports[].main_wallet
const COLS = [
  { title: "Name", get: (p: any) => p.passport_profile.display_name }, // read: passports[].passport_profile.display_name
  { title: "Score", get: (p: any) => p.score }, // read: passports[].score
];
const TABLE = [
  { title: "Name", key: "activity_score" }, // read: passports[].activity_score
  { title: "Score", key: "identity_score" }, // read: passports[].identity_score
];
const MAP = {
  ident: "passport_id", // read: passports[].passport_id
  points: "skills_score", // read: passports[].skills_score
};
const labels = { calculating_score: "Busy", connections_count: "Friends" }; // read: passports[].calculating_score, passports[].connections_count
const res = await fetch(`${process.env.B}/api/v1/passports`); // call: passport-list
const { passports } = await res.json();
for (const p of passports) {
  console.log(FIELDS.map((f) => p[f]).join(","));
  console.log(COLS.map((c) => c.get(p)).join(","));
  console.log(TABLE.map(({ key }) => p[key]).join(","));
  console.log(Object.entries(MAP).map(([to, from]) => [to, p[from]]));
  for (const [key, label] of Object.entries(labels)) console.log(label, p[key]);
}
for (const k in labels) console.log(passports[0][k]);
for (const i in passports) console.log(passports[i].score); // read: passports[].score
