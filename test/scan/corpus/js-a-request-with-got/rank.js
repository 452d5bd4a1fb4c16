import got from "got";

const api = got.extend({ prefixUrl: "https://api.example.com/api/v1", responseType: "json" });

export async function topTen() {
  const { body } = await api("passports", { searchParams: { keyword: "ada" } }); // call: passport-list
  return body.passports.slice(0, 10).map((p) => [p.passport_id, p.score]); // read: passports[].passport_id, passports[].score
}

export async function wallets(id) {
  const body = await api.get(`passports/${id}`).json(); // call: passport
  const { verified_wallets, main_wallet } = body.passport; // read: passport.verified_wallets[], passport.main_wallet
  return [main_wallet, ...verified_wallets];
}

export async function total() {
  const { pagination: { total } } = await got(`https://api.example.com/api/v1/passports`).json(); // call: passport-list; read: pagination.total
  return total;
}
