// What an observation is stored as, and what is read.
import { expect, test } from "vitest";
import {
  maxFindings,
  type Observation,
  observation,
  readObservation,
  toStorable,
} from "../../lib/records/observation.ts";
import { observationOf } from "../assess/observation-builder.ts";
import { fc } from "../random.ts";

const finding: Observation["findings"][number] = {
  id: "passport passport.score retyped string",
  path: "passport.score",
  kind: "retyped",
  expected: "number",
  observed: "string",
  count: 1,
  of: 1,
  level: "breaking",
};

/** An observation with every part that it may have. */
const sample: Observation = {
  ...observationOf({ endpoint: "passport" }),
  tls: { expiresAt: "2027-01-01T00:00:00.000Z" },
  timings: { dnsMs: 1, tcpMs: 1, tlsMs: 1, firstByteMs: 2, totalMs: 3 },
  findings: [finding],
  notices: {
    sunset: "2027-01-01T00:00:00.000Z",
    deprecation: { form: "rfc9745", at: "2026-01-01T00:00:00.000Z" },
    usage: { current: 1, limit: 2, exhausted: false },
  },
  evidence: [{ gap: "2.6-range", subject: "passport.score", of: 1, answers: { "1 to 9": 1 } }],
  records: [
    { id: "0123456789", at: "2026-11-16T10:00:00Z", values: "0123456789" },
    { id: "0123456780", at: "2026-11-16T11:00:00Z", values: "0123456789" },
  ],
  sample: "0123456789",
};
const full = () => structuredClone(sample);

/** With another value at a path, such as `records.0.at`. */
function withValue(path: string, value: unknown): Observation {
  const changed = full();
  const steps = path.split(".");
  let holder = changed as unknown as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) holder = holder[step] as typeof holder;
  holder[steps.at(-1) ?? ""] = value;
  return changed;
}

test("An observation that fits its schema is stored as it is", () => {
  const given = full();
  expect(observation.safeParse(given).error).toBeUndefined();
  expect(toStorable(given)).toBe(given);
});

test.each<[path: string, value: unknown, leftOut: string]>([
  ["records.1.at", "2026-11-16T24:00:00Z", "records"],
  ["notices.sunset", "+010000-01-01T00:00:00.000Z", "notices"],
  ["notices.unknown", 1, "notices"],
  ["tls.expiresAt", "never", "tls"],
  ["staleness.ages.newest", Number.POSITIVE_INFINITY, "staleness"],
  ["evidence.0.answers.lens", -1, "evidence"],
  ["findings.0.path", "a\u0000path", "findings"],
  ["sample", "a name", "sample"],
])(
  "Of an observation whose %s is %j, the part %s is left out and reported, and the rest is stored",
  (path, value, leftOut) => {
    const stored = toStorable(withValue(path, value));
    expect(observation.safeParse(stored).error).toBeUndefined();
    const { id, at, outcome, bytes } = full();
    expect(stored).toMatchObject({ id, at, outcome, bytes });
    const added = stored.findings.filter(({ kind }) => kind === "left-out");
    expect(added).toMatchObject([
      { id: `passport ${leftOut} left-out`, path: leftOut, count: 1, level: "notice" },
    ]);
  },
);

test("Several values of a part are one finding, which takes the place of a milder one where there are many", () => {
  const given = full();
  given.findings = Array.from({ length: maxFindings }, () => finding);
  for (const record of given.records ?? []) record.at = "2026-11-16T24:00:00Z";
  const stored = toStorable(given);
  expect(stored.findings).toHaveLength(maxFindings);
  expect(stored.findings.at(-1)).toMatchObject({ path: "records", count: 1 });
  expect(stored.findingsOmitted).toBe(1);
});

test("A difference that cannot be stored does not hide the others of its check", () => {
  const given = full();
  given.findings = [finding, { ...finding, path: "a\u0000path" }];
  expect(toStorable(given).findings).toMatchObject([finding, { path: "findings", kind: "left-out" }]);
});

test("An observation without a part that it needs stays as it is, so that the store sets it aside and reports it", () => {
  const given = withValue("timings.totalMs", -1);
  expect(toStorable(given)).toBe(given);
});

test("Whatever value is anywhere, an observation can be stored, or is left for the store to set aside", () => {
  const paths = listPaths(full());
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
      const given = withValue(path, value);
      const stored = toStorable(given);
      expect(stored === given || observation.safeParse(stored).success).toBe(true);
    }),
  );
});

const listPaths = (value: unknown, path = ""): string[] =>
  Object.entries((value ?? {}) as object).flatMap(([key, inner]) => [
    `${path}${key}`,
    ...(typeof inner === "object" ? listPaths(inner, `${path}${key}.`) : []),
  ]);

test("A stored observation that its schema refuses is not read", () => {
  expect(readObservation(full())).toEqual(full());
  expect(readObservation(withValue("records.1.at", 7))).toBeUndefined();
  expect(readObservation(withValue("records.1", null))).toBeUndefined();
  expect(readObservation(withValue("notices.sunset", "soon"))).toBeUndefined();
  for (const value of [null, undefined, 7, "text", {}, []]) expect(readObservation(value)).toBeUndefined();
});
