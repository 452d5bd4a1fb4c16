import pLimit from "p-limit";
import pMap from "p-map";
import { request } from "undici";
import https from "node:https";
import wretch from "wretch";
import { $fetch, ofetch } from "ofetch";
import superagent from "superagent";
import memoize from "lodash/memoize";
import retry from "async-retry";
import DataLoader from "dataloader";
import { LRUCache } from "lru-cache";
import { unstable_cache } from "next/cache";
const B = process.env.B;
const limit = pLimit(5);
const one = async (id: string) => {
  const { body, statusCode } = await request(`${B}/api/v1/passports/${id}`); // call: passport
  if (statusCode !== 200) throw new Error();
  const json: any = await body.json();
  return json.passport;
};
const many = await Promise.all(["a", "b"].map((id) => limit(() => one(id))));
console.log(many.map((p) => p.score)); // read: passport.score
const m2 = await pMap(["a"], async (id) => one(id), { concurrency: 3 });
for (const p of m2) console.log(p.main_wallet); // read: passport.main_wallet
https.get(`${B}/api/v1/passports/1`, (res) => { // call: passport
  let raw = "";
  res.on("data", (c) => (raw += c));
  res.on("end", () => { const { passport } = JSON.parse(raw); console.log(passport.merged); }); // read: passport.merged
});
const of1 = await ofetch("/api/v1/passports", { baseURL: B, query: { keyword: "x" } }); // call: passport-list
console.log(of1.pagination.total); // read: pagination.total
const sa = await superagent.get(`${B}/api/v1/passport_credentials`).query({ passport_id: 1 }).set("X-API-KEY", "k"); // call: passport-credentials
console.log(sa.body.passport_credentials[0].max_score); // read: passport_credentials[].max_score
const memo = memoize(one);
console.log((await memo("1")).activity_score); // read: passport.activity_score
const rt = await retry(async (bail) => { const p = await one("1"); if (!p) bail(new Error()); return p; }, { retries: 3 });
console.log(rt.identity_score); // read: passport.identity_score
const loader = new DataLoader(async (ids: readonly string[]) => Promise.all(ids.map(one)));
const dl = await loader.load("3");
console.log(dl.skills_score); // read: passport.skills_score
const lru = new LRUCache<string, any>({ max: 5, fetchMethod: async (id) => one(id) });
const lc = await lru.fetch("1");
console.log(lc.calculating_score); // read: passport.calculating_score
const cached = unstable_cache(async (id: string) => one(id), ["p"], { revalidate: 60 });
const { passport_profile: prof } = await cached("1"); // read: passport.passport_profile
console.log(prof?.tags?.join()); // read: passport.passport_profile.tags[]
class Store {
  #items = new Map<string, any>();
  private static inst?: Store;
  static get(): Store { return (this.inst ??= new Store()); }
  async load(id: string) { if (!this.#items.has(id)) this.#items.set(id, await one(id)); return this.#items.get(id)!; }
}
console.log((await Store.get().load("1")).connections_count); // read: passport.connections_count
