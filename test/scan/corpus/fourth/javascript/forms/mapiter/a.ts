const get = async () => (await (await fetch("https://rep.example.org/api/v1/passports")).json()).passports; // call: passport-list
export async function m() {
  const byWallet = new Map<string, any>();
  for (const p of await get()) byWallet.set(p.main_wallet, p); // read: passports[].main_wallet
  for (const [wallet, p] of byWallet) console.log(wallet, p.score); // read: passports[].score
  for (const p of byWallet.values()) console.log(p.merged, p.skills_score); // read: passports[].skills_score
  for (const [, q] of byWallet.entries()) console.log(q.connections_count); // read: passports[].connections_count
  byWallet.forEach((v, k) => console.log(v.human_checkmark)); // read: passports[].human_checkmark
  return Object.values(Object.fromEntries(byWallet)).map((z) => z.calculating_score); // read: passports[].calculating_score
}
