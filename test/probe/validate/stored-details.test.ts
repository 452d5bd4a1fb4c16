// What of a response is stored, at the boundaries: sizes, names, levels, outcomes, hashes and ages.
import { describe, expect, test } from "vitest";
import type { EndpointId } from "../../../lib/contract/endpoints.ts";
import type { Exchange } from "../../../lib/probe/http/exchange.ts";
import { createFinding, levelOf, sortFindings } from "../../../lib/probe/validate/findings.ts";
import { countEqualScores, createHasher, hashRecords } from "../../../lib/probe/validate/record-hashes.ts";
import {
  type CheckedRequest,
  createEmptyObservation,
  observe,
  readBody,
} from "../../../lib/probe/validate/validate-body.ts";
import {
  type FindingKind,
  findingKinds,
  maxFindings,
  type Variant,
} from "../../../lib/records/observation.ts";
import { type Body, bodyOf, bytesOf, clock, config, findingsOf, idsOf, now, observeBytes } from "./bodies.ts";

describe("a finding", () => {
  test("A finding is breaking, additive or a notice by its kind", () => {
    const of = (level: string) => findingKinds.filter((kind) => levelOf[kind] === level).sort();
    expect(of("additive")).toEqual(["extra"]);
    expect(of("notice")).toEqual(["disagreement", "duplicate-key", "left-out", "new-value", "null"]);
    expect(of("breaking")).toEqual(
      [
        ...["content-type", "envelope", "filter", "format", "missing", "non-integer", "order", "pagination"],
        "retyped",
      ].sort(),
    );
  });

  const finding = (kind: FindingKind, path = "score") =>
    createFinding("passport", { path, kind, expected: "number", observed: "string", count: 1, of: 2 });

  test("A finding has an id of its endpoint, path and kind, and of what was observed where kinds of it differ", () => {
    const withObserved = findingKinds.filter((kind) => finding(kind).id.endsWith(" string"));
    expect(withObserved.sort()).toEqual(["envelope", "extra", "format", "retyped"]);
    expect(finding("missing")).toEqual({
      id: "passport score missing",
      path: "score",
      kind: "missing",
      expected: "number",
      observed: "string",
      count: 1,
      of: 2,
      level: "breaking",
    });
    expect(finding("retyped").id).toBe("passport score retyped string");
  });

  test("A finding comes after the more severe ones, and then by its id", () => {
    const sorted = sortFindings([
      finding("null", "a"),
      finding("extra", "b"),
      finding("missing", "d"),
      finding("missing", "c"),
      finding("extra", "a"),
    ]);
    expect(sorted.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "missing c",
      "missing d",
      "extra a",
      "extra b",
      "null a",
    ]);
  });
});

describe("numbers that a double cannot hold", () => {
  const idsWith = (text: string) => {
    const body = JSON.stringify(bodyOf("passport")).replace(
      /"(passport_id|score)":\d+/g,
      (_, key) => `"${key}":${text}`,
    );
    return observeBytes("passport", Buffer.from(body)).findings.map(({ id }) => id);
  };
  const both = (what: string) =>
    ["passport_id", "score"].map((name) => `passport passport.${name} format ${what}`);

  test.each([
    ["1e400", both("non-finite")],
    ["-1e400", both("non-finite")],
    ["9007199254740993", ["passport passport.passport_id format unsafe-integer"]],
    ["-9007199254740993", ["passport passport.passport_id format unsafe-integer"]],
    ["0.5", ["passport passport.passport_id non-integer"]],
    ["-0", []],
  ])("The number %s, in place of an id, has its findings", (text, ids) => {
    expect(idsWith(text)).toEqual(ids);
  });
});

test.each<[unknown, string]>([
  ["7", "retyped string"],
  [true, "retyped boolean"],
  [[], "retyped array"],
  [{}, "retyped object"],
  [null, "null"],
  [undefined, "missing"],
])("A number and an integer that are %j are %s", (value, what) => {
  const passport = { ...bodyOf("passport").passport, score: value, passport_id: value };
  const ids = ["passport_id", "score"].map((name) => `passport passport.${name} ${what}`);
  expect(idsOf("passport", { passport })).toEqual(ids);
});

describe("a value of source, category or type that the document does not show", () => {
  const types = (...values: unknown[]) => {
    const [one] = bodyOf("passport-credentials").passport_credentials;
    return findingsOf("passport-credentials", {
      passport_credentials: values.map((type) => ({ ...one, type })),
    });
  };

  test("A value of source, category or type that the document does not show is a notice with its count, and the value is not in it", () => {
    expect(types("active_wallet", "github", "ens", "github")).toEqual([
      {
        id: "passport-credentials passport_credentials[].type new-value",
        kind: "new-value",
        path: "passport_credentials[].type",
        expected: "string",
        observed: "string",
        count: 3,
        of: 4,
        level: "notice",
      },
    ]);
    expect(types("active_wallet")).toEqual([]);
    expect(types(7).map(({ kind }) => kind)).toEqual(["retyped"]);
  });
});

describe("unlisted keys", () => {
  const extras = (body: Body, endpoint: EndpointId = "passport-list") =>
    findingsOf(endpoint, body)
      .filter(({ kind }) => kind === "extra")
      .map(({ path, observed, count, of, expected }) => `${path} ${observed} ${count} of ${of} ${expected}`);
  const list = bodyOf("passport-list");
  const withKeys = (...keys: string[]) => ({
    ...list,
    passports: [
      { ...list.passports[0], ...Object.fromEntries(keys.map((key) => [key, 1])) },
      ...list.passports.slice(1),
    ],
  });
  const words = Array.from({ length: 18 }, (_, index) => `word_${String.fromCharCode(97 + index)}`);

  test("Unlisted keys are named up to sixteen, in alphabetical order, and others are counted together", () => {
    expect(extras(withKeys(...words.slice(0, 16).toReversed()))).toEqual(
      words.slice(0, 16).map((word) => `passports[].${word} number 1 of 25 nothing`),
    );
    expect(extras(withKeys(...words.slice(0, 17).toReversed()))).toEqual([
      "passports[].<dynamic> number 1 of 25 nothing",
      ...words.slice(0, 16).map((word) => `passports[].${word} number 1 of 25 nothing`),
    ]);
    expect(extras({ ...list, "0xab": 1, "0xcd": 2 })).toEqual(["<dynamic> number 1 of 1 nothing"]);
  });

  test("Unlisted keys that are no names count as dynamic, beside sixteen that are", () => {
    expect(extras(withKeys("0xab", "ada@example.org", ...words.slice(0, 16)))).toHaveLength(17);
  });

  test("Unlisted keys of the body and of inner objects have their path", () => {
    expect(extras({ ...list, more: [] })).toEqual(["more array 1 of 1 nothing"]);
    const [first, second, ...rest] = list.passports;
    const profile = (one: Body) => ({ ...one, passport_profile: { ...one.passport_profile, age: 1 } });
    expect(extras({ ...list, passports: [profile(first), profile(second), ...rest] })).toEqual([
      "passports[].passport_profile.age number 2 of 25 nothing",
    ]);
  });
});

describe("a body of another type", () => {
  test.each<[unknown, string[]]>([
    [null, ["passport (body) envelope null"]],
    [[], ["passport (body) envelope array"]],
    ["text", ["passport (body) envelope string"]],
    [{}, ["passport passport envelope missing"]],
    [{ passport: [] }, ["passport passport envelope array"]],
  ])("A body that is %j has a finding about its envelope", (body, ids) => {
    expect(idsOf("passport", body)).toEqual(ids);
  });

  test("A body of another type says what the contract expects", () => {
    expect(findingsOf("passport", null)).toMatchObject([{ path: "(body)", expected: "object", of: 1 }]);
    expect(findingsOf("passport-list", { ...bodyOf("passport-list"), passports: 1 })).toMatchObject([
      { path: "passports", expected: "array", observed: "number", count: 1, of: 1 },
    ]);
  });
});

describe("the content type", () => {
  const observed = (contentType: string | undefined) =>
    readBody("passport", bytesOf(bodyOf("passport")), contentType, { clock }).validation?.findings.map(
      ({ id, expected, observed }) => [id, expected, observed],
    );

  test.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/json ;x",
    "application/vnd.api+json",
    "application/problem+json",
    undefined,
  ])("The content type %s is that of JSON, or was not looked at", (contentType) => {
    expect(observed(contentType)).toEqual([]);
  });

  test.each([
    ["", "none"],
    ["text/html; charset=utf-8", "text/html"],
    ["TEXT/PLAIN", "text/plain"],
    ["text/csv", "text/csv"],
    ["application/xml", "application/xml"],
    ["text/xml", "text/xml"],
    ["application/octet-stream", "application/octet-stream"],
    ["application/jsonp", "another type"],
    ["x-application/json", "another type"],
    ["text/htmlx", "another type"],
    ["image/png", "another type"],
    ["application/+json", "another type"],
    ["a text/html", "another type"],
  ])("The content type %j is stored as %s", (contentType, name) => {
    expect(observed(contentType)).toEqual([["passport (body) content-type", "application/json", name]]);
  });
});

describe("an observation", () => {
  const request: CheckedRequest = {
    endpoint: "passport",
    variant: "authenticated",
    tickMs: now,
    atMs: now + 1,
    reason: "scheduled",
    isPrimary: true,
  };
  const url = new URL("https://api.example.com/api/v1/passports/7");
  const exchangeOf = (status: number | undefined, body: unknown, headers = {}): Exchange => ({
    outcome: {
      kind: status === 200 ? "ok" : status === 401 ? "unauthorized" : status ? "status" : "network",
      ...(status !== undefined && { status }),
    },
    attempts: [],
    timings: { totalMs: 3 },
    bytes: { wire: 1, body: 2 },
    tls: null,
    headers,
    ...(status !== undefined && { status }),
    body: body === undefined ? null : bytesOf(body),
  });
  const observed = (exchange: Exchange, more: Partial<CheckedRequest> = {}, isSampled = true) =>
    observe({ ...request, ...more }, { url, isSampled }, exchange, config);
  const error = { error: "no" };

  test("An observation has an id of endpoint, variant and tick, and a second opinion one of its own", () => {
    const empty = createEmptyObservation(request, { kind: "no-secret" });
    expect(empty).toMatchObject({
      id: "passport/authenticated/2026-11-14T12:00:00.000Z",
      at: "2026-11-14T12:00:00.001Z",
      schema: "v1watch/observation/2",
      attempts: [],
      outcome: { kind: "no-secret" },
      timings: { totalMs: 0 },
      bytes: { wire: 0, body: 0 },
      tls: null,
      findings: [],
      evidence: [],
      findingsOmitted: 0,
      staleness: null,
      notices: {},
      reason: "scheduled",
      isPrimary: true,
    });
    const second = createEmptyObservation({ ...request, reason: "second-opinion" }, { kind: "ok" });
    expect(second.id).toBe("passport/authenticated/2026-11-14T12:00:00.000Z/second-opinion");
  });

  test("An observation has a hash of its sample and of its records, where there is a hasher", () => {
    const hasher = createHasher("key");
    const exchange = exchangeOf(200, bodyOf("passport"));
    const { sample, records } = observed(exchange, { hasher, sampleId: "7" }).observation;
    expect(sample).toBe(hasher("sample", "7"));
    expect(records).toHaveLength(1);
    expect(observed(exchange, { hasher }).observation.sample).toBeUndefined();
    const plain = observed(exchange, { sampleId: "7" }).observation;
    expect(plain.sample).toBeUndefined();
    expect(plain.records).toBeUndefined();
  });

  test("An observation compares a single passport with the one of the list, and nothing else with it", () => {
    const listed = { ...bodyOf("passport-list").passports[0], main_wallet: "0xother" };
    const kinds = (endpoint: EndpointId) =>
      findingsOf(endpoint, bodyOf(endpoint), { listed }).map(({ kind }) => kind);
    expect(kinds("passport")).toEqual(["disagreement"]);
    expect(kinds("passport-credentials")).toEqual([]);
    expect(kinds("passport-list")).toEqual([]);
    expect(findingsOf("passport", bodyOf("passport"))).toEqual([]);
  });

  test("An observation of a 404 for a guessed id says that there was no sample", () => {
    const outcome = (status: number, isSampled: boolean, variant: Variant = "authenticated") =>
      observed(exchangeOf(status, error), { variant }, isSampled).observation.outcome;
    expect(outcome(404, false)).toEqual({ kind: "refused", detail: "no-sample" });
    expect(outcome(404, true)).toEqual({ kind: "status", status: 404 });
    expect(outcome(410, false)).toEqual({ kind: "status", status: 410 });
    expect(outcome(404, false, "unknown-id")).toEqual({ kind: "status", status: 404 });
  });

  test("An observation says that a documented path is withdrawn, and not of an unknown or a guessed id", () => {
    const isWithdrawn = (status: number, isSampled: boolean, variant: Variant = "authenticated") =>
      observed(exchangeOf(status, error), { variant }, isSampled).observation.notices.withdrawn;
    expect(isWithdrawn(404, true)).toBe(true);
    expect(isWithdrawn(404, false)).toBeUndefined();
    expect(isWithdrawn(410, false)).toBe(true);
    expect(isWithdrawn(410, true, "unknown-id")).toBeUndefined();
  });

  test("An observation names an exhausted quota of a 401 only", () => {
    const headers = { "x-api-usage-current": "9", "x-api-usage-limit": "9" };
    const detail = (status: number, sent = headers) =>
      observed(exchangeOf(status, error, sent)).observation.outcome.detail;
    expect(detail(401)).toBe("quota");
    expect(detail(403)).toBeUndefined();
    expect(detail(401, { ...headers, "x-api-usage-current": "8" })).toBeUndefined();
  });

  test("An observation without a response has no notices and no evidence", () => {
    const { observation, value } = observed(exchangeOf(undefined, undefined, { sunset: "soon" }));
    expect(observation).toMatchObject({ notices: {}, evidence: [], outcome: { kind: "network" } });
    expect(value).toBeUndefined();
  });

  test("An observation has the parsed body beside it, a message about deprecation, and what looks like V2", () => {
    const body = { ...bodyOf("passport"), message: "deprecated" };
    const { observation, value } = observed(exchangeOf(200, body));
    expect(observation.notices).toEqual({ message: true });
    expect(value).toEqual(body);
    const v2 = observed(exchangeOf(200, { profile: {} })).observation;
    expect(v2.notices).toEqual({ body: "v2-shaped" });
    expect(observed(exchangeOf(500, { message: "deprecated" })).observation.notices).toEqual({});
  });

  test("An observation has the total of a list where it is a count, and equal scores of a list only", () => {
    const list = bodyOf("passport-list");
    const total = (value: unknown) =>
      observeBytes("passport-list", bytesOf({ ...list, pagination: { ...list.pagination, total: value } }))
        .staleness?.total;
    expect([0, 120].map(total)).toEqual([0, 120]);
    for (const value of [-1, 1.5, "120", null, 2 ** 53]) expect(total(value)).toBeUndefined();
    const same = { ...list, passports: list.passports.map((one: Body) => ({ ...one, score: 5 })) };
    expect(observeBytes("passport-list", bytesOf(same)).equalScores).toEqual({ same: 25, of: 25 });
    const { equalScores } = observeBytes("passport-credentials", bytesOf(bodyOf("passport-credentials")));
    expect(equalScores).toBeUndefined();
  });

  test("An observation is at most 8,000 bytes: evidence goes first, then the mildest findings, which are counted", () => {
    const longNames = Array.from(
      { length: 26 },
      (_, index) => `${"abcdefghij_klmnopqrst_uvwxyzabcd_ef"}_${String.fromCharCode(97 + index)}`,
    );
    const types = longNames.map((name) => `${name.slice(0, 13)}_${name.slice(14, 27)}${name.slice(-2)}`);
    const [one] = bodyOf("passport-credentials").passport_credentials;
    const body = {
      passport_credentials: types.map((type, index) => ({
        ...one,
        type,
        category: type,
        [longNames[index]!]: null,
        score: index % 2 ? "1" : null,
        value: 7,
      })),
    };
    const small = observeBytes("passport-credentials", bytesOf(body));
    const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
    expect(bytes(small)).toBeLessThanOrEqual(8_000);
    expect(small.findings.length).toBeLessThanOrEqual(maxFindings);
    // Nothing was dropped that had room.
    expect(small.evidence.length).toBeGreaterThan(0);
    expect(small.findingsOmitted).toBe(
      findingsOf("passport-credentials", body).length - small.findings.length,
    );
    expect(small.findings[0]?.level).toBe("breaking");
  });
});

test("An observation without room for all findings has no evidence, and drops the last findings", () => {
  const body = structuredClone(bodyOf("passport-list"));
  for (const record of body.passports)
    for (const letter of "abcdefghijklmnop")
      for (const holder of [record, record.passport_profile])
        holder[`the_favourite_meal_of_personalities_${letter}`] = 1;
  const bytes = Buffer.from(JSON.stringify(body));
  const observed = observeBytes("passport-list", bytes, { hasher: createHasher("a") });
  const all = readBody("passport-list", bytes, "application/json", { clock }).validation!.findings;
  expect(all).toHaveLength(32);
  expect(Buffer.byteLength(JSON.stringify(observed))).toBeLessThanOrEqual(8_000);
  expect(observed.evidence).toEqual([]);
  expect(observed.findings).toEqual(all.slice(0, observed.findings.length));
  expect(observed.findings.length).toBeLessThan(maxFindings);
  expect(observed.findings.length).toBeGreaterThan(maxFindings - 8);
  expect(observed.findingsOmitted).toBe(32 - observed.findings.length);
});

test("The evidence of a documented passport is about each gap once, and nulls come last", () => {
  const body = structuredClone(bodyOf("passport"));
  body.passport.passport_profile.bio = null;
  body.passport.passport_socials = [{ ...body.passport.passport_socials[0], source: "lens" }];
  const { evidence } = observeBytes("passport", bytesOf(body));
  expect(evidence.map(({ gap, subject, of }) => `${gap} ${subject} ${of}`)).toEqual([
    "4.2-id integer 1",
    "2.6-null passport 1",
    "2.6-range passport.activity_score 1",
    "2.6-range passport.identity_score 1",
    "2.6-range passport.skills_score 1",
    "2.6-range passport.score 1",
    "3-states passport.calculating_score 1",
    "2.6-null passport.passport_profile 1",
    "2.6-null passport.passport_socials[] 1",
    "2.6-source passport.passport_socials[].source 1",
    "2.6-null passport.passport_profile.bio 1",
  ]);
  const nulls = evidence.filter(({ gap }) => gap === "2.6-null").map(({ answers }) => answers);
  expect(nulls).toEqual([{}, {}, {}, { null: 1 }]);
  const without = observeBytes("passport", bytesOf({ passport: null })).evidence;
  expect(without.map(({ gap, subject, answers }) => [gap, subject, answers])).toEqual([
    ["4.2-id", "integer", { "200": 1 }],
    ["2.6-null", "passport", { null: 1 }],
  ]);
});

describe("record hashes", () => {
  const hasher = createHasher("key");
  const page = (...passports: unknown[]) => ({ passports });
  const record = (more: object = {}) => ({ passport_id: 1, score: 5, ...more });
  const hash = (...passports: unknown[]) => hashRecords("passport-list", page(...passports), hasher) ?? [];

  test("Record hashes are ten hex digits of a keyed hash, of another kind for ids, values and samples", () => {
    const hashes = (["id", "values", "sample"] as const).map((kind) => hasher(kind, "1"));
    for (const text of hashes) expect(text).toMatch(/^[0-9a-f]{10}$/);
    expect(new Set([...hashes, createHasher("other")("id", "1")]).size).toBe(4);
    expect(hash(record())[0]?.id).toBe(hasher("id", "1"));
  });

  test("Record hashes are of the first 25 records that have an id", () => {
    expect(hash(...Array.from({ length: 30 }, (_, id) => record({ passport_id: id })))).toHaveLength(25);
    expect(hash(null, [], 7, {}, { passport_id: null }, { passport_id: {} }, { id: "x" })).toEqual([]);
    expect(hashRecords("passport-list", page(), hasher)).toBeUndefined();
    expect(hashRecords("passport-list", null, hasher)).toBeUndefined();
    expect(hashRecords("passport-list", {}, hasher)).toBeUndefined();
    expect(hashRecords("passport", { passport: record() }, hasher)).toEqual(hash(record()));
    const credentials = { passport_credentials: [{ id: "a" }, { id: "b" }] };
    expect(hashRecords("passport-credentials", credentials, hasher)).toHaveLength(2);
  });

  test("Record hashes of values change with each score, and with nothing else", () => {
    const values = (more: object) => hash(record(more))[0]?.values;
    const other = ["activity_score", "identity_score", "skills_score", "score"].map((name) =>
      values({ [name]: 99 }),
    );
    expect(new Set([values({}), ...other]).size).toBe(5);
    expect(values({ connections_count: 7, passport_id: 2, last_calculated_at: "x" })).toBe(values({}));
    expect(values({ score: {} })).toBe(values({ score: null }));
    expect(values({ score: `${"x".repeat(100)}a` })).toBe(values({ score: `${"x".repeat(100)}b` }));
    expect(values({ score: `${"x".repeat(99)}a` })).not.toBe(values({ score: `${"x".repeat(99)}b` }));
  });

  test("Record hashes of an id use its first 100 characters", () => {
    const id = (text: string) => hash(record({ passport_id: text }))[0]?.id;
    expect(id(`${"x".repeat(100)}a`)).toBe(id(`${"x".repeat(100)}b`));
    expect(id(`${"x".repeat(99)}a`)).not.toBe(id(`${"x".repeat(99)}b`));
    expect(id("1")).toBe(hash(record())[0]?.id);
  });

  test.each([
    ["2026-02-28T10:00:00Z", true],
    ["2024-02-29T10:00:00.123456789Z", true],
    ["2026-01-31T10:00:00Z", true],
    ["2026-02-29T10:00:00Z", false],
    ["2026-02-30T10:00:00Z", false],
    ["2026-04-31T10:00:00Z", false],
    ["2026-13-01T10:00:00Z", false],
    ["2026-01-01T25:00:00Z", false],
    ["2026-01-01T10:00:00+01:00", false],
    ["2026-01-01T10:00:00.1234567890Z", false],
    ["x2026-01-01T10:00:00Z", false],
    ["2026-01-01T10:00:00Zx", false],
    ["2026-01-01", false],
    [1_700_000_000, false],
    [null, false],
  ])("Record hashes keep the date %s as it was sent: %s", (date, isKept) => {
    expect(hash(record({ last_calculated_at: date }))[0]?.at).toBe(isKept ? date : null);
  });
});

describe("equal scores", () => {
  test.each<[unknown[], object | undefined]>([
    [[5, 5, 3], { same: 2, of: 3 }],
    [[5, 4, 3], { same: 1, of: 3 }],
    [[3, 5, 5, 5, 3], { same: 3, of: 5 }],
    [["5", null, undefined], undefined],
    [[5, "5", null], { same: 1, of: 1 }],
    [[], undefined],
  ])("Equal scores of %j are %j", (scores, expected) => {
    expect(
      countEqualScores(
        "passport-list",
        scores.map((score) => ({ score })),
      ),
    ).toEqual(expected);
  });
});
