const BASE = process.env.NEXT_PUBLIC_API ?? "https://api.example.com";

export async function load(id?: string) {
  const res = await fetch(`${BASE}/api/v1/passports/${id ?? ""}`); // call: passport
  const { passport } = await res.json();
  return passport.score; // read: passport.score
}

export async function loadByWallet(wallet: string | undefined) {
  const url = BASE + "/api/v1/passports/" + (wallet || "");
  const body = await fetch(url).then((r) => r.json()); // call: passport
  return body.passport.main_wallet; // read: passport.main_wallet
}

export async function credentials(id: number | null) {
  const res = await fetch(`${BASE}/api/v1/passport_credentials?passport_id=${id ?? ""}`); // call: passport-credentials
  return (await res.json()).passport_credentials.map((c: any) => c.name); // read: passport_credentials[].name
}
