import { describe, expect, test } from "vitest";
import { type EndpointId, endpointIds, endpoints } from "../../../lib/contract/endpoints.ts";
import { readBody, validateBody } from "../../../lib/probe/validate/validate-body.ts";
import { fc } from "../../random.ts";
import { anyEndpoint, type Body, bodyOf, bytesOf, clock, findingsOf, idsOf, mutatedBody } from "./bodies.ts";
import { expectedFindings } from "./expected-findings.ts";
import { bigBody, hostileText } from "./random-bodies.ts";

test("A body with a hundred thousand unlisted names has a finding that stands for those that were not looked at", () => {
  const name = (index: number) =>
    `name_${[...String(index)].map((digit) => "abcdefghij"[Number(digit)]).join("")}`;
  const withNames = (count: number): unknown => ({
    passport: Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1])),
  });
  const findingsAbout = (count: number) =>
    idsOf("passport", withNames(count)).filter((id) => id.endsWith("extra number"));
  expect(findingsAbout(10)).toHaveLength(10);
  expect(findingsAbout(10).join()).not.toContain("<dynamic>");
  const many = findingsAbout(100_000);
  expect(many).toHaveLength(17);
  expect(many).toContain("passport passport.<dynamic> extra number");
});

test.each(endpointIds)("A documented %s body has no findings", (endpoint) => {
  for (let rank = 0; rank < 25; rank++)
    expect(idsOf(endpoint, bodyOf(endpoint, "documented", rank))).toEqual([]);
});

describe("the level of a finding", () => {
  const body = bodyOf("passport-list");
  const levels = (change: (page: Body) => void) => {
    const page = structuredClone(body);
    change(page);
    return findingsOf("passport-list", page).map(
      ({ level, kind, observed }) => `${level} ${kind} ${observed}`,
    );
  };

  test.each<[string, (page: Body) => void, string[]]>([
    ["missing", (page) => delete page.passports[0].score, ["breaking missing missing"]],
    [
      "retyped",
      (page) => (page.passports[0].bio = page.passports[0].main_wallet = 1),
      ["breaking retyped number", "additive extra number"],
    ],
    ["null", (page) => (page.passports[0].passport_profile = null), ["notice null null"]],
    ["null record", (page) => (page.passports[3] = null), ["notice null null"]],
    ["envelope null", (page) => (page.passports = null), ["breaking envelope null"]],
    ["envelope retyped", (page) => (page.passports = {}), ["breaking envelope object"]],
    ["format", (page) => (page.passports[0].last_calculated_at = "yesterday"), ["breaking format text"]],
    ["non-integer", (page) => (page.passports[0].passport_id = 1.5), ["breaking non-integer number"]],
    ["extra", (page) => (page.passports[0].user = {}), ["additive extra object"]],
    [
      "extra of two types",
      (page) => {
        page.passports[0].user = {};
        page.passports[1].user = null;
      },
      ["additive extra null", "additive extra object"],
    ],
  ])(
    "The level of a finding for %s follows from its kind, and the observed value is the name of a type or a format",
    (_, change, expected) => {
      expect(levels(change).toSorted()).toEqual(expected.toSorted());
    },
  );
});

test("The validation of one body does not depend on the bodies before it", () => {
  const pairs = anyEndpoint.chain((endpoint) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      one: fc.oneof(mutatedBody(endpoint), fc.jsonValue()),
      other: mutatedBody(endpoint),
    }),
  );
  fc.assert(
    fc.property(pairs, ({ endpoint, one, other }) => {
      const validateClean = () => validateBody(endpoint, bodyOf(endpoint), { clock });
      const before = validateClean();
      const first = validateBody(endpoint, other, { clock });
      validateBody(endpoint, one, { clock });
      expect(validateBody(endpoint, other, { clock })).toEqual(first);
      expect(validateClean()).toEqual(before);
    }),
    { numRuns: 150 },
  );
});

test("Findings are sorted by level and have unique ids, and the same body always gives the same order", () => {
  fc.assert(
    fc.property(
      anyEndpoint.chain((endpoint) => fc.tuple(fc.constant(endpoint), mutatedBody(endpoint))),
      ([endpoint, body]) => {
        const findings = findingsOf(endpoint, body);
        const levels = findings.map(({ level }) => ["breaking", "additive", "notice"].indexOf(level));
        expect(levels).toEqual(levels.toSorted());
        expect(findingsOf(endpoint, body)).toEqual(findings);
        expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length);
        for (const { count, of } of findings) expect(count).toBeLessThanOrEqual(of);
      },
    ),
    { numRuns: 150 },
  );
});

/** Kinds that depend on the order or the number of records. */
const ofThePage = new Set(["order", "pagination"]);
const rowsOf = (body: Body): Body[] | undefined =>
  [body?.passports, body?.passport_credentials, body?.passport?.passport_socials].find(Array.isArray);

test("The order and repetition of records do not change the ids of findings", () => {
  const cases = anyEndpoint.chain((endpoint) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      body: mutatedBody(endpoint),
      seeds: fc.array(fc.nat(), { minLength: 8, maxLength: 8 }),
      again: fc.array(fc.nat(), { maxLength: 10 }),
    }),
  );
  fc.assert(
    fc.property(cases, ({ endpoint, body, seeds, again }) => {
      const ids = () =>
        findingsOf(endpoint, body)
          .filter(({ kind }) => !ofThePage.has(kind))
          .map(({ id }) => id);
      const before = ids();
      const rows = rowsOf(body);
      if (!rows || rows.length === 0) return;
      for (const place of again) rows.push(structuredClone(rows[place % rows.length]));
      for (let at = rows.length - 1; at > 0; at--) {
        const other = seeds[at % seeds.length]! % (at + 1);
        [rows[at], rows[other]] = [rows[other], rows[at]];
      }
      expect(ids()).toEqual(before);
    }),
    { numRuns: 200 },
  );
});

test("More unlisted keys than are reported give the same ids in any order of records", () => {
  const rows = Array.from({ length: 40 }, (_, row) => ({
    [`extra_${String.fromCharCode(97 + (row % 26))}${row < 26 ? "" : "z"}`]: row,
  }));
  const page = (order: Body[]) => ({
    ...bodyOf("passport-list"),
    passports: bodyOf("passport-list")
      .passports.map((one: Body) => ({ ...one }))
      .concat(order.map((extra) => ({ ...bodyOf("passport-list").passports[24], ...extra }))),
  });
  const drift = (order: Body[]) => idsOf("passport-list", page(order)).filter((id) => id.includes(" extra "));
  expect(drift(rows)).toHaveLength(17);
  expect(drift(rows).some((id) => id === "passport-list passports[].<dynamic> extra number")).toBe(true);
  expect(drift(rows.toReversed())).toEqual(drift(rows));
});

test("A body has structural findings exactly when the contract's open schema rejects it", () => {
  const structural = new Set(["missing", "retyped", "format", "non-integer", "envelope", "null"]);
  let accepted = 0;
  let rejected = 0;
  fc.assert(
    fc.property(
      anyEndpoint.chain((endpoint) =>
        fc.tuple(
          fc.constant(endpoint),
          fc.oneof({ weight: 9, arbitrary: mutatedBody(endpoint) }, { weight: 1, arbitrary: fc.jsonValue() }),
        ),
      ),
      ([endpoint, body]) => {
        const parsed = JSON.parse(bytesOf(body).toString());
        const isDrifting = findingsOf(endpoint, body).some(({ kind }) => structural.has(kind));
        const { success } = endpoints[endpoint].body.safeParse(parsed);
        expect(isDrifting).toBe(!success);
        if (success) accepted++;
        else rejected++;
      },
    ),
    { numRuns: 300 },
  );
  expect(Math.min(accepted, rejected)).toBeGreaterThan(20);
});

describe("random bodies have the findings of a plain recursion over their values", () => {
  const structural = ["missing", "retyped", "null", "extra", "format", "non-integer", "envelope"];
  const check = (endpoint: EndpointId, text: string, seen: Set<string>) => {
    const { validation, value } = readBody(endpoint, Buffer.from(text), undefined, { clock });
    const findings = validation?.findings.filter(({ kind }) => structural.includes(kind)) ?? [];
    for (const { kind } of findings) seen.add(kind);
    const found = Object.fromEntries(findings.map(({ id, count, of }) => [id, [count, of]]));
    expect(found).toEqual(validation ? expectedFindings(endpoint, value) : {});
  };

  test("Random bodies have the findings of a plain recursion over their values when they are drifted or hostile", () => {
    const seen = new Set<string>();
    const texts = anyEndpoint.chain((endpoint) => fc.tuple(fc.constant(endpoint), hostileText(endpoint)));
    fc.assert(
      fc.property(texts, ([endpoint, text]) => check(endpoint, text, seen)),
      { numRuns: 200 },
    );
    // A kind that no random body has is a kind that the generator does not test.
    expect([...seen].toSorted()).toEqual(structural.toSorted());
  });

  test("Random bodies have the findings of a plain recursion over their values when they have more records and items than are validated", () => {
    const bodies = anyEndpoint.chain((endpoint) => fc.tuple(fc.constant(endpoint), bigBody(endpoint)));
    fc.assert(
      fc.property(bodies, ([endpoint, body]) => check(endpoint, JSON.stringify(body), new Set())),
      { numRuns: 30 },
    );
  });
});
