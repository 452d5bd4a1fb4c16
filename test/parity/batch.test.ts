// One batch against responses that the test gives: which requests are made, and what is counted.
import { expect, test } from "vitest";
import { readShape } from "../../lib/mapping/v2-shape.ts";
import { compareBatch } from "../../lib/parity/batch.ts";
import { planParity } from "../../lib/parity/plan.ts";
import type { FetchResult } from "../../lib/parity/request.ts";
import type { FieldRow, Mapping, V2Endpoint } from "../../lib/records/mapping.ts";
import { decidedMapping } from "../mapping/v2-mapping.ts";

const wallet = (letter: string) => `0x${letter.repeat(40)}`;
const same = (path: string, more: object = {}): FieldRow => ({
  decision: "same",
  endpoint: "profile",
  path,
  ...more,
});

function makeMapping(fields: Record<string, FieldRow>, endpoints: Record<string, V2Endpoint>): Mapping {
  const mapping = decidedMapping("http://v2");
  return { ...mapping, fields, v2: { ...mapping.v2, endpoints } };
}

const profile: Record<string, V2Endpoint> = { profile: { path: "/profile/{passport_id}" } };
const score = { "passport.score": same("score") };
const ok = (body: unknown): FetchResult => ({ kind: "ok", body });
const v1Passport = (passport: object) => ok({ passport: { passport_id: 7, ...passport } });

type Responses = Record<string, FetchResult | FetchResult[]>;

/** Each path has one response, or one for each request. */
async function compare(
  mapping: Mapping,
  responses: Responses,
  { ids = ["7"], ...more }: { ids?: string[] } & Partial<Parameters<typeof compareBatch>[1]> = {},
) {
  const asked: string[] = [];
  const aggregate = await compareBatch(ids, {
    mapping,
    plan: planParity(mapping),
    secondReadDelayMs: 0,
    concurrentRecords: 1,
    async fetchBody(version, path) {
      asked.push(`${version} ${path}`);
      const response = responses[path];
      return (Array.isArray(response) ? response.shift() : response) ?? { kind: "absent" };
    },
    ...more,
  });
  return { asked, aggregate };
}

test("A passport is read twice from V1 and once from V2, under the id that V1 returns", async () => {
  const credentials = {
    ...score,
    "passport_credentials[].name": same("names[].name"),
  };
  const responses: Responses = {
    [`/api/v1/passports/${wallet("a")}`]: v1Passport({ score: 1 }),
    "/api/v1/passport_credentials?passport_id=7": ok({ passport_credentials: [{ name: "x" }] }),
    "/profile/7": ok({ score: 1, names: [{ name: "x" }] }),
  };
  const { asked, aggregate } = await compare(makeMapping(credentials, profile), responses, {
    ids: [wallet("a")],
  });
  expect(asked.toSorted()).toEqual([
    "v1 /api/v1/passport_credentials?passport_id=7",
    "v1 /api/v1/passport_credentials?passport_id=7",
    `v1 /api/v1/passports/${wallet("a")}`,
    `v1 /api/v1/passports/${wallet("a")}`,
    "v2 /profile/7",
  ]);
  const equal = { compared: 1, raw: {}, noise: {} };
  expect(aggregate).toEqual({
    schema: "v1watch/parity/1",
    pairs: 1,
    skipped: {},
    requests: { v1: 4, v2: 1 },
    shape: {},
    v2: { sent: 1, answered: 1, usable: 1, by: { "200": 1 } },
    identity: { named: 0, others: 0, ids: 0, repeated: 0 },
    fields: {
      "passport.score": equal,
      "passport_credentials[]": equal,
      "passport_credentials[].name": equal,
      "(profile)": equal,
    },
  });
});

test("Only the V1 endpoints with mapped fields are read, and each V2 endpoint once", () => {
  const plan = planParity(makeMapping({ ...score, "passport.merged": same("merged") }, profile));
  expect(plan).toMatchObject({
    v1Endpoints: ["passport"],
    v2Endpoints: ["profile"],
    requestsPerPair: { v1: 2, v2: 1 },
    paths: ["passport.score", "passport.merged", "(profile)"],
    responseSlots: [{ endpoint: "profile", slot: 2 }],
  });
  expect([...plan.usedVariables]).toEqual(["passport_id"]);
  const dropped: FieldRow = { decision: "dropped", owner: "x", reason: "y", expires: "2027-01-01" };
  const undecided = { "passport.score": { decision: "undecided" }, "passport.merged": dropped } as const;
  expect(planParity(makeMapping(undecided, profile))).toMatchObject({ paths: [], v2Endpoints: [] });
  // The list is not compared, because it has no passport of its own.
  const ofList = makeMapping({ "passports[].score": same("score") }, profile);
  expect(planParity(ofList).paths).toEqual([]);
});

test("Differences from V2 and between V1's own reads are counted apart, and only where V1 has the field", async () => {
  const fields = { ...score, "passport.merged": same("merged"), "passport.main_wallet": same("wallet") };
  const responses: Responses = {
    "/api/v1/passports/7": [v1Passport({ score: 1, merged: false }), v1Passport({ score: 2 })],
    "/profile/7": ok({ score: "1", merged: true }),
  };
  const { aggregate } = await compare(makeMapping(fields, profile), responses);
  expect(aggregate.fields).toEqual({
    "passport.score": { compared: 1, raw: { type: 1 }, noise: { value: 1 } },
    "passport.merged": { compared: 1, raw: { value: 1 }, noise: { missing: 1 } },
    "passport.main_wallet": { compared: 0, raw: {}, noise: {} },
    "(profile)": { compared: 1, raw: {}, noise: {} },
  });
});

test("A passport that V2 does not have is a missing response and not a difference of each field", async () => {
  const responses: Responses = { "/api/v1/passports/7": v1Passport({ score: 1 }) };
  const { aggregate } = await compare(makeMapping(score, profile), responses);
  expect(aggregate.pairs).toBe(1);
  expect(aggregate.fields).toEqual({
    "passport.score": { compared: 0, raw: {}, noise: {} },
    "(profile)": { compared: 1, raw: { missing: 1 }, noise: {} },
  });
});

test("An endpoint that the mapping does not describe is not requested", async () => {
  const { asked, aggregate } = await compare(makeMapping(score, {}), {
    "/api/v1/passports/7": v1Passport({ score: 1 }),
  });
  expect(asked).toHaveLength(2);
  expect(aggregate.fields["(profile)"]?.raw).toEqual({ missing: 1 });
});

const failed = (why: string): FetchResult => ({ kind: "failed", why });
test.each<[string, Responses, string, number]>([
  ["is unknown to V1", {}, "v1 absent", 1],
  ["fails in V1", { "/api/v1/passports/7": failed("500") }, "v1 500", 1],
  [
    "fails in V2",
    { "/api/v1/passports/7": v1Passport({ score: 1 }), "/profile/7": failed("timeout") },
    "v2 timeout",
    2,
  ],
  [
    "fails in V1's second read",
    { "/api/v1/passports/7": [v1Passport({ score: 1 }), failed("503")], "/profile/7": ok({ score: 1 }) },
    "v1 503",
    3,
  ],
])("A passport that %s is skipped with its reason", async (_title, responses, why, requests) => {
  const { asked, aggregate } = await compare(makeMapping(score, profile), responses);
  expect(aggregate).toMatchObject({ pairs: 0, skipped: { [why]: 1 }, fields: {} });
  expect(asked).toHaveLength(requests);
});

test.each<[string, Responses]>([
  ["first", { "/api/v1/passport_credentials?passport_id=7": failed("500") }],
  [
    "second",
    { "/api/v1/passport_credentials?passport_id=7": [ok({ passport_credentials: [] }), failed("500")] },
  ],
])("A passport whose credentials fail in the %s read is skipped", async (_title, responses) => {
  const fields = { "passport_credentials[].name": same("names[].name") };
  const { aggregate } = await compare(makeMapping(fields, profile), {
    "/api/v1/passports/7": v1Passport({}),
    "/profile/7": ok({ names: [] }),
    ...responses,
  });
  expect(aggregate).toMatchObject({ pairs: 0, skipped: { "v1 500": 1 } });
});

test("Several passports with the same reason are counted together", async () => {
  const { aggregate } = await compare(makeMapping(score, profile), {}, { ids: ["7", "8", "9"] });
  expect(aggregate).toMatchObject({ skipped: { "v1 absent": 3 }, requests: { v1: 3, v2: 0 } });
});

test("Nothing is requested after the run was stopped", async () => {
  const { asked, aggregate } = await compare(
    makeMapping(score, profile),
    {},
    { signal: AbortSignal.abort() },
  );
  expect(asked).toEqual([]);
  expect(aggregate).toMatchObject({ skipped: { "v1 stopped": 1 }, requests: { v1: 0, v2: 0 } });
});

test("A run that is stopped between the two reads does not wait for the second one", async () => {
  const controller = new AbortController();
  const mapping = makeMapping(score, profile);
  const compared = compareBatch(["7"], {
    mapping,
    plan: planParity(mapping),
    secondReadDelayMs: 3_600_000,
    concurrentRecords: 1,
    signal: controller.signal,
    async fetchBody(version) {
      if (version === "v2") setImmediate(() => controller.abort());
      return version === "v1" ? v1Passport({ score: 1 }) : ok({ score: 1 });
    },
  });
  expect(await compared).toMatchObject({ pairs: 0, skipped: { "v1 stopped": 1 } });
});

test.each<[string, V2Endpoint, string]>([
  ["the path", { path: "/wallets/{wallet}/of/{passport_id}" }, `/wallets/${wallet("c")}/of/7`],
  [
    "a query",
    { path: "/p", query: { id: "{passport_id}", "a b": "x & {wallet}-y" } },
    `/p?id=7&a%20b=x%20%26%20${wallet("c")}-y`,
  ],
  ["no variable that is unknown", { path: "/p/{other}", query: { a: "{other}" } }, "/p/{other}?a={other}"],
])("The request to V2 has the passport's values in %s", async (_title, endpoint, path) => {
  const { asked } = await compare(makeMapping(score, { profile: endpoint }), {
    "/api/v1/passports/7": v1Passport({ main_wallet: wallet("c") }),
  });
  expect(asked.filter((one) => one.startsWith("v2"))).toEqual([`v2 ${path}`]);
});

test("An id is escaped in a path", async () => {
  const { asked } = await compare(
    makeMapping(score, profile),
    { "/api/v1/passports/a%2Fb": ok({}) },
    {
      ids: ["a/b"],
    },
  );
  expect(asked[0]).toBe("v1 /api/v1/passports/a%2Fb");
  expect(asked).toContain("v2 /profile/a%2Fb");
});

test.each<[string, string, object, string | undefined]>([
  ["the id", wallet("a"), { main_wallet: wallet("b") }, wallet("a")],
  ["the main wallet", "7", { main_wallet: wallet("B"), verified_wallets: [wallet("c")] }, wallet("B")],
  ["a verified wallet", "7", { main_wallet: null, verified_wallets: ["no", wallet("c")] }, wallet("c")],
  ["nowhere, if it is too long", "7", { main_wallet: `${wallet("a")}a` }, undefined],
  ["nowhere, if text stands before it", "7", { main_wallet: `x${wallet("a")}` }, undefined],
  [
    "the other field, if it holds one in place of a list",
    "7",
    { verified_wallets: wallet("a") },
    wallet("a"),
  ],
])("The wallet is taken from %s", async (_title, id, passport, expected) => {
  const mapping = makeMapping(score, { profile: { path: "/{wallet}" } });
  const { asked, aggregate } = await compare(
    mapping,
    { [`/api/v1/passports/${id}`]: v1Passport(passport) },
    {
      ids: [id],
    },
  );
  expect(asked.filter((one) => one.startsWith("v2"))).toEqual(expected ? [`v2 /${expected}`] : []);
  expect(aggregate.skipped).toEqual(expected ? {} : { "v1 no-wallet": 1 });
});

test("A wallet that no endpoint needs may be missing", async () => {
  const { aggregate } = await compare(makeMapping(score, profile), {
    "/api/v1/passports/7": v1Passport({ score: 1 }),
    "/profile/7": ok({ score: 1 }),
  });
  expect(aggregate).toMatchObject({ pairs: 1, skipped: {} });
});

test("V2's responses are counted against V2's own schema, where there is one", async () => {
  const shape = readShape({
    $defs: { profile: { type: "object", required: ["id"], properties: { score: { type: "string" } } } },
  });
  if (!shape) throw new Error("there is no shape");
  const responses: Responses = {
    "/api/v1/passports/7": v1Passport({}),
    "/api/v1/passports/8": ok({ passport: { passport_id: 8 } }),
    "/profile/7": ok({ score: 1 }),
    "/profile/8": ok({ id: 1, score: 2 }),
    "/other/7": ok({}),
  };
  const fields = { ...score, "passport.merged": { ...same("merged"), endpoint: "other" } as FieldRow };
  const mapping = makeMapping(fields, { ...profile, other: { path: "/other/{passport_id}" } });
  const { aggregate } = await compare(mapping, responses, { ids: ["7", "8"], shape });
  expect(aggregate.shape).toEqual({ "profile id missing": 1, "profile score type": 2 });
});

test("No more passports are in their first read at once than are allowed", async () => {
  const mapping = makeMapping(score, profile);
  let [inside, most] = [0, 0];
  await compareBatch(["1", "2", "3", "4", "5"], {
    mapping,
    plan: planParity(mapping),
    secondReadDelayMs: 0,
    concurrentRecords: 2,
    async fetchBody() {
      most = Math.max(most, ++inside);
      await new Promise(setImmediate);
      inside--;
      return { kind: "absent" };
    },
  });
  expect(most).toBe(2);
});
