import { describe, expect, test } from "vitest";
import { hadPlace, placeOf, placesOf, toCheck } from "../../../lib/assess/checks/check.ts";
import { freshHistory } from "../../../lib/assess/checks/history.ts";
import type { RecordDates } from "../../../lib/assess/checks/types.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { observationOf } from "../observation-builder.ts";

/** `dates`: the records of the check before. */
const read = (observation: Observation, dates?: RecordDates) =>
  toCheck(
    observation,
    {
      latest: {},
      served: [],
      checksOfOthers: 0,
      ...(dates && { records: { atMs: 0, dates } }),
    },
    freshHistory(),
  );

type Given = Parameters<typeof observationOf>[0];
const exhausted = { usage: { exhausted: true } };
const envelope: Observation["findings"] = [
  {
    id: "e",
    path: "error",
    kind: "envelope",
    expected: "x",
    observed: "y",
    count: 1,
    of: 1,
    level: "breaking",
  },
];

describe("what a check keeps of an observation", () => {
  const atMs = Date.parse("2026-11-15T00:00:00.000Z");
  const base = {
    atMs,
    endpoint: "passport-list",
    variant: "authenticated",
    reason: "scheduled",
    isPrimary: true,
  };

  test("A check keeps every fact of a good response that the rules need", () => {
    const finding = { ...envelope[0]!, kind: "retyped" as const };
    const { level: _, ...kept } = finding;
    const observation = observationOf({
      findings: [finding, { ...finding, id: "a", level: "additive" }],
      findingsOmitted: 1,
      sample: "00000000a1",
      equalScores: { same: 2, of: 9 },
      staleness: { total: 700 },
      evidence: [
        { gap: "2.6-null", subject: "items[]", of: 3, answers: {} },
        { gap: "2.6-null", subject: "none[]", of: 0, answers: {} },
      ],
      notices: { usage: { current: 5, limit: 9, exhausted: false } },
    });
    expect(read(observation)).toMatchObject({
      ...base,
      class: "ok",
      label: "ok",
      latencyMs: 150,
      sample: "00000000a1",
      usage: { current: 5, limit: 9 },
      findings: [kept],
      isCut: true,
      places: ["", "items[]"],
      records: 25,
      total: 700,
      newestMs: atMs - 7_800_000,
      medianAgeMs: 86_400_000,
      equalScores: { same: 2, of: 9 },
    });
  });

  test("A check keeps little of a plain response, and of a failure no more than what it was", () => {
    expect(read(observationOf())).toMatchObject({
      ...base,
      class: "ok",
      label: "ok",
      latencyMs: 150,
      places: ["", "*"],
      records: 25,
      newestMs: atMs - 7_800_000,
      medianAgeMs: 86_400_000,
    });
    const failed = { findings: envelope, findingsOmitted: 2, equalScores: { same: 1, of: 1 } };
    expect(read(observationOf({ status: 503, ...failed, notices: exhausted }))).toMatchObject({
      ...base,
      class: "failed",
      label: "503",
      latencyMs: 150,
    });
  });

  test("A check keeps no dates where the clocks differ, where none can be read, and where no calendar has them", () => {
    const kept = (staleness: NonNullable<Given>["staleness"]) => {
      const { newestMs, medianAgeMs, records } = read(observationOf({ staleness: staleness! }));
      return { newestMs, medianAgeMs, records };
    };
    const none = { newestMs: undefined, medianAgeMs: undefined, records: 25 };
    expect(kept({ muted: true })).toEqual(none);
    expect(kept({ dated: 0 })).toEqual(none);
    expect(kept({ ages: undefined })).toEqual(none);
    const far = (newest: number) => kept({ ages: { newest, p50: 1, p95: 1, oldest: newest } });
    expect(far(1e13)).toEqual({ ...none, medianAgeMs: 1_000 });
    expect(far((8e15 + atMs) / 1_000)).toEqual({ ...none, medianAgeMs: 1_000 });
    expect(far((8e15 + atMs) / 1_000 - 1)).toMatchObject({ newestMs: 1_000 - 8e15 });
    expect(read(observationOf({ staleness: null })).records).toBeUndefined();
  });

  test("A check keeps the records whose date moved since the check before, and of those the changed ones", () => {
    const at = (day: number) => `2026-11-0${day}T00:00:00.000Z`;
    const record = (id: string, day: number, values: string) => ({ id, at: at(day), values });
    const records = [
      record("a", 1, "x"),
      record("b", 2, "x"),
      record("c", 2, "y"),
      record("d", 1, "y"),
      record("n", 1, "x"),
      record("e", 2, "x"),
      // A date that can no longer be read, and one that could not be read before.
      { id: "f", at: null, values: "y" },
      record("g", 2, "y"),
    ];
    const known = ["a", "b", "c", "d", "e", "f"].map((id) => [id, { at: at(1), values: "x" }] as const);
    const before = { ...Object.fromEntries(known), g: { at: null, values: "x" } };
    expect(read(observationOf({ records }), before)).toMatchObject({ moved: 3, changed: 1 });
    expect(read(observationOf({ records }))).toMatchObject({ moved: 0, changed: 0 });
    expect(read(observationOf(), before).moved).toBeUndefined();
  });

  test.each<[unknown, Observation["notices"]]>([
    [undefined, {}],
    [undefined, { links: ["latest-version"], warning: 199 }],
    [{ sunsetMs: 0 }, { sunset: "1970-01-01T00:00:00.000Z" }],
    [{ sunsetText: "" }, { sunsetText: "" }],
    [{ deprecation: ["Deprecation"] }, { deprecation: { form: "draft-true" } }],
    [
      { deprecation: ["Deprecation 2026-05-01"] },
      { deprecation: { form: "http-date", at: "2026-05-01T10:00:00.000Z" } },
    ],
    [
      {
        deprecation: [
          "Link rel=sunset",
          "Link rel=successor-version",
          "Warning 299",
          "a message in the body",
        ],
      },
      { links: ["sunset", "latest-version", "successor-version"], warning: 299, message: true },
    ],
  ])("A check keeps the notices %j", (expected, notices) => {
    expect(read(observationOf({ notices })).notices).toEqual(expected);
  });
});

test("A place is the object in which a field stands", () => {
  expect(placeOf("items[].score")).toBe("items[]");
  expect(placeOf("score")).toBe("");
  expect(placeOf("a.b.c")).toBe("a.b");
  const evidence: Observation["evidence"] = [
    { gap: "2.7-formats" as never, subject: "x", of: 3, answers: {} },
  ];
  expect(placesOf(observationOf({ evidence }))).toEqual(["", "*"]);
  const check = read(observationOf());
  expect(hadPlace({ ...check, places: ["", "a"] }, "a")).toBe(true);
  expect(hadPlace({ ...check, places: ["", "a"] }, "b")).toBe(false);
  expect(hadPlace({ ...check, places: ["*"] }, "b")).toBe(true);
  const { places: _, ...without } = check;
  expect(hadPlace(without, "")).toBe(false);
});
