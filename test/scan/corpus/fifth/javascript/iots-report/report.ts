import * as t from "io-ts";
import { isRight } from "fp-ts/Either";
import { endpoints } from "./endpoints";

const Item = t.type({ passport_id: t.number, activity_score: t.number, identity_score: t.number, skills_score: t.number });
const Listing = t.type({ passports: t.array(Item), pagination: t.type({ total: t.number }) });

type Item = t.TypeOf<typeof Item>;

const weight = (p: Item): number => p.activity_score * 2 + p.identity_score + p.skills_score; // read: passports[].activity_score, passports[].identity_score, passports[].skills_score

export async function report(): Promise<string[]> {
  const response = await fetch(endpoints.people.list); // call: passport-list
  const decoded = Listing.decode(await response.json());
  if (!isRight(decoded)) throw new Error("unexpected shape");
  const { passports, pagination: { total } } = decoded.right; // read: pagination.total
  return passports.map((p) => `${p.passport_id}/${total}: ${weight(p)}`); // read: passports[].passport_id
}

export async function surveyReport(): Promise<number> {
  const response = await fetch(endpoints.surveys.list);
  const surveys: { activity_score: number; total: number }[] = await response.json();
  return surveys.reduce((n, s) => n + s.activity_score / s.total, 0);
}
