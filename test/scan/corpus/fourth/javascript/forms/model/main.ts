import { PassportModel } from "./passport";
export async function go(id: string) {
  const res = await fetch(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  const m = PassportModel.from(await res.json());
  return [m.total, m.name(), m.wallets];
}
