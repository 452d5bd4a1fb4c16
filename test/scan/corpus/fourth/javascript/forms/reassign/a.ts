import { api } from "./index";
export async function f(id: string) {
  let passport: any;
  let list: any[] = [];
  try {
    ({ passport } = await api.getJson(`/api/v1/passports/${id}`)); // call: passport
    ({ passport_credentials: list } = await api.getJson("/api/v1/passport_credentials")); // call: passport-credentials
  } catch (e) {
    throw new Error("down", { cause: e });
  }
  switch (list[0]?.category) { // read: passport_credentials[].category
    case "Skills": return passport.skills_score; // read: passport.skills_score
    default: return passport.score; // read: passport.score
  }
}
