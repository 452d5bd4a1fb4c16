import { describe, expect, test } from "vitest";
import { type GapEvidence, noteEvidence, readGapEvidence } from "../../lib/assess/gap-evidence.ts";
import { gaps } from "../../lib/contract/gaps.ts";
import type { Fact } from "../../lib/records/observation.ts";
import { fc } from "../random.ts";
import { dayMs, observationOf } from "./observation-builder.ts";

const startMs = Date.parse("2026-09-01T00:00:00Z");

const boardOf = (observations: readonly ReturnType<typeof observationOf>[]) => {
  const board: GapEvidence = {};
  for (const observation of observations) noteEvidence(board, observation);
  return board;
};

const seen = (day: number, ...evidence: Fact[]) => observationOf({ at: startMs + day * dayMs, evidence });
const anonymous = (day: number, status: string) =>
  seen(day, { gap: "5-anonymous", subject: "passport-list", of: 1, answers: { [status]: 1 } });
const rowOf = (board: GapEvidence, id: string) => readGapEvidence(board).find((row) => row.id === id)!;

describe("the gap evidence", () => {
  test("The gap evidence has an open row for every gap of the document at first", () => {
    const rows = readGapEvidence({});
    expect(rows.map(({ id }) => id)).toEqual(gaps.map(({ id }) => id));
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["open"]));
  });

  test("The gap evidence reports what changed, until when and since when", () => {
    const board = boardOf([
      anonymous(0, "200"),
      anonymous(20, "200"),
      anonymous(30, "401"),
      anonymous(31, "401"),
    ]);
    expect(rowOf(board, "5-anonymous")).toMatchObject({
      status: "CHANGED",
      summary: "passport-list: 200 until 2026-09-21, 401 since 2026-10-01",
    });
  });

  test("Two values that alternate are not a change", () => {
    const board = boardOf([
      anonymous(0, "200"),
      anonymous(1, "401"),
      anonymous(2, "200"),
      anonymous(3, "401"),
    ]);
    expect(rowOf(board, "5-anonymous").status).toBe("observed");
  });

  test("Nulls are a share of the samples, and never is stated with the number of samples", () => {
    const nulls = (count: number): Fact => ({
      gap: "2.6-null",
      subject: "passports[].passport_profile.bio",
      of: 25,
      answers: count > 0 ? { null: count } : {},
    });
    expect(rowOf(boardOf([seen(0, nulls(3)), seen(1, nulls(3))]), "2.6-null").summary).toBe("bio 12 %");
    expect(rowOf(boardOf([seen(0, nulls(0))]), "2.6-null").summary).toBe("never in 25 records");
  });

  test("The newest value of an open set is named with its day", () => {
    const value = (word: string): Fact => ({
      gap: "2.6-source",
      subject: "passport.passport_socials[].source",
      of: 1,
      answers: { [word]: 1 },
    });
    const board = boardOf([seen(0, value("lens")), seen(1, value("github")), seen(48, value("builderfi"))]);
    expect(rowOf(board, "2.6-source").summary).toBe('3 values; newest "builderfi", first seen 2026-10-19');
  });
});

test("Evidence merges the same in any order", () => {
  const anyFact: fc.Arbitrary<Fact> = fc.record({
    gap: fc.constantFrom("2.6-source", "2.6-null", "4.4-sort"),
    subject: fc.constantFrom("a", "b", "c"),
    of: fc.nat(50),
    answers: fc.dictionary(fc.constantFrom("x", "y", "null", "descending"), fc.nat(20), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  });
  const anyHistory = fc.array(fc.tuple(fc.nat(100), fc.array(anyFact, { maxLength: 4 })), { maxLength: 12 });
  fc.assert(
    fc.property(anyHistory, fc.infiniteStream(fc.nat()), (history, random) => {
      const observations = history.map(([day, facts]) => seen(day, ...facts));
      const ranks = observations.map((observation) => ({ observation, rank: random.next().value as number }));
      const shuffled = ranks.toSorted((a, b) => a.rank - b.rank).map(({ observation }) => observation);
      expect(boardOf(shuffled)).toEqual(boardOf(observations));
    }),
  );
});

test("Responses cannot make the evidence grow without a bound", () => {
  const board: GapEvidence = {};
  for (let index = 0; index < 2_000; index++) {
    noteEvidence(
      board,
      seen(0, { gap: "2.6-type", subject: `s${index % 200}`, of: 1, answers: { [`v${index}`]: 1 } }),
    );
  }
  expect(JSON.stringify(board).length).toBeLessThan(60_000);
});
