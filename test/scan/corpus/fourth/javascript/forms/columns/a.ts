const columns = [
  { key: "score", label: "Score" }, // read: passports[].score
  { key: "main_wallet", label: "Wallet" }, // read: passports[].main_wallet
];
export async function csv() {
  const r = await fetch("https://rep.example.org/api/v1/passports"); // call: passport-list
  const { passports } = await r.json();
  const lines: string[] = [];
  passports.forEach((p) => lines.push(columns.map((c) => p[c.key]).join(",")));
  const ids = Array.from(passports, (p) => p.passport_id); // read: passports[].passport_id
  return [lines, ids];
}
