import { request } from "./http.ts";

type Holder = { passport: { human_checkmark: boolean; verified_wallets: string[] } };

export async function isHuman(id: string): Promise<boolean> {
  const { passport } = await request<Holder>(`/passports/${id}`); // call: passport
  return passport.human_checkmark; // read: passport.human_checkmark
}

export async function ownsWallet(id: string, wallet: string) {
  const answer = await request<Holder>(`/passports/${id}`); // call: passport
  return answer.passport.verified_wallets.includes(wallet); // read: passport.verified_wallets[]
}
