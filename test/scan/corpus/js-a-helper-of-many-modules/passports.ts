import { api } from "./http";

export async function score(id: string): Promise<number> {
  const { passport } = await api(`/api/v1/passports/${id}`); // call: passport
  return passport.score; // read: passport.score
}

export const top = async () => {
  const page = await api("/api/v1/passports?page=1"); // call: passport-list
  return page.passports.map((p: any) => p.passport_id); // read: passports[].passport_id
};
