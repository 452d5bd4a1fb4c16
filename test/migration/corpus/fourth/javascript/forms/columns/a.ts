const columns = [
  { key: "score", label: "Score" },
  { key: "main_wallet", label: "Wallet" },
];
export async function csv() {
  const r = await fetch("https://rep.example.org/api/v1/passports"); // call: passport-list
  const { passports } = await r.json();
  const lines: string[] = [];
  passports.forEach((p) => lines.push(columns.map((c) => p[c.key]).join(","))); // read: passports[].score, passports[].main_wallet
  const ids = Array.from(passports, (p) => p.passport_id); // read: passports[].passport_id
  return [lines, ids];
}
