import { get, http, unwrap } from "./http";
const path = (...s: (string | number)[]) => ["/api/v1/passports", ...s].join("/");
export const list = (keyword?: string) => get<any>(path(), { keyword }); // call: passport-list
export const one = (id: string) => unwrap(http.get(path(id))); // call: passport
export const scoreOf = async (id: string): Promise<number> => {
  const { passport: { score } } = await one(id); // read: passport.score
  return score;
};
