import { PassportSchema, type Passport } from "./types";
export async function load(id: string): Promise<Passport> {
  const res = await fetch(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  return PassportSchema.parse((await res.json()).passport);
}
