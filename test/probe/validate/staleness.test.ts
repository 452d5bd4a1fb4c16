import { describe, expect, test } from "vitest";
import { validateBody } from "../../../lib/probe/validate/validate-body.ts";
import { fc } from "../../random.ts";
import { type Body, bodyOf, bytesOf, clock, now, observeBytes } from "./bodies.ts";

const day = 86_400_000;
const at = (ageMs: number) => new Date(now - ageMs).toISOString();
const page = (dates: unknown[]): Body => ({
  passport_credentials: dates.map((last_calculated_at) => ({
    ...bodyOf("passport-credentials").passport_credentials[0],
    last_calculated_at,
  })),
});
const stalenessOf = (body: Body, more: object = {}) =>
  validateBody("passport-credentials", body, { clock: { ...clock, ...more } }).staleness;

test("Missing, null, future and unparsable timestamps are counted separately and not among the ages", () => {
  const dates = [at(day), undefined, null, at(-day), "yesterday", 1_727_786_150, at(2 * day)];
  expect(stalenessOf(JSON.parse(JSON.stringify(page(dates))))).toEqual({
    records: 7,
    ages: { newest: 86_400, p50: 86_400, p95: 172_800, oldest: 172_800 },
    ageSteps: [864_000, 864_000],
    dated: 2,
    missing: 1,
    null: 1,
    future: 1,
    unparsable: 2,
    calculating: 0,
    muted: false,
  });
});

test("Every timestamp is in exactly one of the counts, and no age is negative", () => {
  const anyDate = fc.oneof(
    fc.integer({ min: -40 * day, max: 400 * day }).map(at),
    fc.constantFrom<unknown>(
      null,
      "",
      "2024-10-01",
      "2024-10-01T00:00:00",
      "2024-02-30T00:00:00Z",
      0,
      true,
      [],
      {},
    ),
  );
  fc.assert(
    fc.property(fc.array(anyDate, { maxLength: 40 }), (dates) => {
      const { ages, ...counts } = stalenessOf(page(dates));
      const { dated, missing, null: nulls, future, unparsable, records } = counts;
      expect(dated + missing + nulls + future + unparsable).toBe(records);
      expect(records).toBe(dates.length);
      // Without dated records there are no ages: no data is not an age of 0.
      expect(ages === undefined).toBe(dated === 0);
      if (!ages) return;
      expect(ages.newest).toBeGreaterThanOrEqual(0);
      const inOrder = [ages.newest, ages.p50, ages.p95, ages.oldest];
      expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
    }),
  );
});

describe("the clock of the target", () => {
  const headers = (date: string) => ({ "content-type": "application/json", date });
  const observed = (date: string, age?: string) =>
    observeBytes("passport-credentials", bytesOf(page([at(day)])), {
      headers: { ...headers(date), ...(age !== undefined && { age }) },
    }).staleness;

  test.each([
    ["an hour ahead", -3_600_000, true, 3_600],
    ["an hour behind", 3_600_000, true, -3_600],
    ["a minute ahead", -60_000, false, 60],
    ["the same", 0, false, 0],
  ])(
    "The clock of the target %s by the Date header is recorded, and mutes the ages only beyond maxSkew",
    (_, offMs, muted, skewSeconds) => {
      expect(observed(new Date(now - offMs).toUTCString())).toMatchObject({ muted, skewSeconds });
    },
  );

  test("The clock of the target is corrected by the Age header of a cache", () => {
    const date = new Date(now - 3_600_000).toUTCString();
    expect(observed(date, "3600")).toMatchObject({ skewSeconds: 0, muted: false });
    expect(observed(date, "an hour")).toMatchObject({ skewSeconds: -3_600, muted: true });
  });

  test("The clock of the target is unknown without a readable Date header, and then nothing is muted", () => {
    for (const date of ["", "soon", "2026-11-14T12:00:00Z"]) {
      expect(observed(date)).toMatchObject({ muted: false });
      expect(observed(date)).not.toHaveProperty("skewSeconds");
    }
  });
});

test("An empty list has no ages", () => {
  expect(stalenessOf({ passport_credentials: [] })).toEqual({
    records: 0,
    dated: 0,
    missing: 0,
    null: 0,
    future: 0,
    unparsable: 0,
    calculating: 0,
    muted: false,
  });
});
