import * as api from "./api";
export async function summary(id: string) {
  const [{ passport }, creds] = await Promise.all([api.getOne(id), api.getCreds(id)]);
  const top = [...creds].sort((a, b) => b.score - a.score)[0]; // read: passport_credentials[].score
  const { passports: [first, ...others] } = await api.getList();
  return { a: passport.identity_score, t: top?.name, f: first.score, o: others.map((o) => o.skills_score) }; // read: passport_credentials[].name, passport.identity_score, passports[].score, passports[].skills_score
}
