import { ENDPOINT } from "./endpoint";

interface PageBody<T> {
  passports: T[];
  pagination: { current_page: number; last_page: number; total: number };
}
interface Person {
  score: number;
  skills_score: number;
  last_calculated_at: string | null;
  passport_profile: { tags: string[] } | null;
}

export async function* people(keyword: string): AsyncGenerator<Person> {
  let pageNo = 1;
  let last = 1;
  do {
    const res = await fetch(`${ENDPOINT}?keyword=${encodeURIComponent(keyword)}&page=${pageNo}`); // call: passport-list
    if (!res.ok) return; // hazard: status-default
    const body: PageBody<Person> = await res.json();
    yield* body.passports;
    last = body.pagination.last_page; // read: pagination.last_page
    pageNo++;
  } while (pageNo <= last);
}

export async function tagCloud(keyword: string) {
  const cloud = new Map<string, number>();
  for await (const person of people(keyword)) {
    if (!person.last_calculated_at) continue; // read: passports[].last_calculated_at
    for (const tag of person.passport_profile?.tags ?? []) { // read: passports[].passport_profile.tags[]; hazard: fallback-default
      cloud.set(tag, (cloud.get(tag) ?? 0) + person.skills_score); // read: passports[].skills_score
    }
  }
  return cloud;
}

export async function* products() {
  const res = await fetch("https://shop.example.com/api/v1/products");
  const { items, pagination } = await res.json();
  for (const item of items) yield { score: item.score, tags: item.tags, of: pagination.total };
}
