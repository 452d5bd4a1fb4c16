// The validation by zod gives the same results as the generated walker that it replaces.
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { type EndpointId, endpointIds } from "../../../../lib/contract/endpoints.ts";
import { parseDateTime } from "../../../../lib/probe/validate/timestamp.ts";
import { readBody, validateBody } from "../../../../lib/probe/validate/validate-body.ts";
import { findingKinds } from "../../../../lib/records/observation.ts";
import { anyEndpoint, type Body, bodyOf, bytesOf, clock } from "../bodies.ts";
import { bigBody, hostileText, printSeed } from "../random-bodies.ts";
import { parseDateTime as parseByHand } from "./timestamp.ts";
import { analyseBody, readBody as readByWalker } from "./validate-body.ts";

vi.setConfig({ testTimeout: 900_000 });
const seed = printSeed("walker and zod");
const runs = Number(process.env.V1WATCH_RUNS ?? 1);
const context = { clock: { ...clock, targetNowMs: clock.nowMs + 1_500 }, keyword: "a" };

function expectEqual(endpoint: EndpointId, bytes: Uint8Array, seen = new Set<string>()): void {
  const listed = bodyOf("passport-list").passports[0];
  const before = readByWalker(endpoint, bytes, "text/html", { ...context, listed });
  const now = readBody(endpoint, bytes, "text/html", { ...context, listed });
  expect(now.outcome).toEqual(before.outcome);
  expect(now.value).toEqual(before.value);
  expect(now.validation === undefined).toBe(before.analysis === undefined);
  if (!before.analysis || !now.validation) return;
  const { findings, staleness, facts, body, order } = before.analysis;
  for (const { kind } of findings) seen.add(kind);
  expect(now.validation.findings).toEqual(findings);
  expect(now.validation.staleness).toEqual(staleness);
  expect(now.validation.facts).toEqual(facts);
  expect(now.validation.fakeOk).toBe(body);
  expect(now.validation.order).toBe(order);
}

test("drifted and hostile bodies give equal findings, staleness, evidence and notices", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      anyEndpoint.chain((endpoint) => fc.tuple(fc.constant(endpoint), hostileText(endpoint))),
      ([endpoint, text]) => {
        expectEqual(endpoint, Buffer.from(text), seen);
      },
    ),
    { numRuns: 2_000 * runs, seed },
  );
  // A kind that no random body has is a kind that the generator does not test.
  const ofThePage = ["order", "filter", "pagination", "disagreement"];
  expect(findingKinds.filter((kind) => !seen.has(kind) && !ofThePage.includes(kind))).toEqual([]);
});

test.each(endpointIds)("every %s of the simulator gives equal results", (endpoint) => {
  for (const profile of ["documented", "realistic"] as const)
    for (let rank = 0; rank < 60; rank++) expectEqual(endpoint, bytesOf(bodyOf(endpoint, profile, rank)));
});

/** The limits of the sample, applied here by hand: 500 records, 50 items of every array inside. */
function cut(body: Body): Body {
  const limited = (value: Body, max: number): Body => (Array.isArray(value) ? value.slice(0, max) : value);
  const cutRecord = (record: Body): Body => {
    if (typeof record !== "object" || record === null || Array.isArray(record)) return record;
    const copy = { ...record };
    for (const key of ["verified_wallets", "passport_socials"])
      if (Object.hasOwn(copy, key)) copy[key] = limited(copy[key], 50);
    return copy;
  };
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const copy = { ...body };
  for (const key of ["passports", "passport_credentials"])
    if (Array.isArray(copy[key])) copy[key] = copy[key].slice(0, 500).map(cutRecord);
  if (Object.hasOwn(copy, "passport")) copy.passport = cutRecord(copy.passport);
  return copy;
}

test("big bodies give the findings and evidence of their first records, and the staleness of all", () => {
  const ofThePage = new Set(["order", "pagination", "filter"]);
  fc.assert(
    fc.property(
      anyEndpoint.chain((endpoint) => fc.tuple(fc.constant(endpoint), bigBody(endpoint))),
      ([endpoint, body]) => {
        const now = validateBody(endpoint, body, context);
        const ofAll = analyseBody(endpoint, body, context);
        const { findings: pageFindings, staleness, body: fakeOk, order } = structuredClone(ofAll);
        const ofFirst = analyseBody(endpoint, cut(body), context);
        const sorted = now.findings.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        const expected = [
          ...ofFirst.findings.filter(({ kind }) => !ofThePage.has(kind)),
          ...pageFindings.filter(({ kind }) => ofThePage.has(kind)),
        ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect(sorted).toEqual(expected);
        expect(now.facts).toEqual(ofFirst.facts);
        expect(now.staleness).toEqual(staleness);
        expect([now.fakeOk, now.order]).toEqual([fakeOk, order]);
      },
    ),
    { numRuns: 300 * runs, seed },
  );
});

test("date-times are the same instants", () => {
  const date = fc
    .tuple(
      fc.date({
        min: new Date("0000-01-01T00:00:00Z"),
        max: new Date("9999-12-31T00:00:00Z"),
        noInvalidDate: true,
      }),
      fc.stringMatching(/^(?:\.\d{1,12})?$/),
      fc.oneof(fc.constant("Z"), fc.stringMatching(/^[+-][0-2]\d:[0-6]\d$/)),
      fc.nat(40),
      fc.constantFrom("", "0", "9", ":", "T", " ", "Z", "+"),
      fc.constantFrom(0, 0, 1),
    )
    .map(([day, fraction, zone, at, character, isCut]) => {
      const text = `${day.toISOString().slice(0, 19)}${fraction}${zone}`;
      return isCut ? text.slice(0, at) + character + text.slice(at + 1) : text;
    });
  fc.assert(
    fc.property(date, (text) => {
      expect(parseDateTime(text) ?? Number.NaN).toBe(parseByHand(text));
    }),
    { numRuns: 5_000 * runs, seed },
  );
});
