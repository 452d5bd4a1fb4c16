import { describe, expect, test } from "vitest";
import {
  customMetrics,
  type MetricName,
  metricOf,
  metrics,
  statusPoints,
  toDataPoints,
} from "../../lib/assess/metrics.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { measureStaleness } from "../../lib/probe/validate/staleness.ts";
import type { MetricPoint } from "../../lib/records/metric-point.ts";
import {
  checkReasons,
  type Finding,
  levels,
  type Observation,
  observation,
  outcomeKinds,
  readAges,
  type Staleness,
  variants,
} from "../../lib/records/observation.ts";
import { fc } from "../random.ts";
import { aggregate } from "../stack/evaluate-alarm.ts";

const at = "2026-11-15T02:40:00.000Z";
const atMs = Date.parse(at);

const staleness: Staleness = {
  records: 25,
  ages: { newest: 7_800, p50: 90_000, p95: 400_000, oldest: 900_000 },
  ageSteps: [78_000, 822_000],
  dated: 25,
  missing: 0,
  null: 0,
  future: 0,
  unparsable: 0,
  calculating: 0,
  muted: false,
};

const calm: Observation = observation.parse({
  schema: "v1watch/observation/2",
  id: "passport-list/authenticated/29385760",
  endpoint: "passport-list",
  variant: "authenticated",
  at,
  reason: "scheduled",
  isPrimary: true,
  attempts: [{ kind: "ok", totalMs: 212 }],
  outcome: { kind: "ok", status: 200 },
  timings: { totalMs: 212 },
  bytes: { wire: 900, body: 4_000 },
  tls: { expiresAt: "2027-02-01T00:00:00Z" },
  findings: [],
  findingsOmitted: 0,
  staleness: { ...staleness, skewSeconds: 0 },
  notices: {},
  evidence: [],
});

const refused: Observation = {
  ...calm,
  tls: null,
  outcome: { kind: "unauthorized", status: 401 },
  staleness: null,
};

const finding = (level: Finding["level"], path: string): Finding => ({
  id: `passport-list ${path} missing`,
  path,
  kind: "missing",
  expected: "number",
  observed: "missing",
  count: 1,
  of: 25,
  level,
});

const names = (points: readonly MetricPoint[]) =>
  Object.fromEntries(points.map(({ metric, values }) => [metric, values]));

const published = (observed: Observation, retirementDate?: string) =>
  names(toDataPoints(observed, { retirementDate }));

describe("the list of metrics", () => {
  test("The list of metrics has no custom metric twice", () => {
    expect(new Set(customMetrics.map((metric) => JSON.stringify(metric))).size).toBe(customMetrics.length);
  });
});

describe("a scheduled check", () => {
  test("A scheduled check publishes every metric that the list publishes with checks, zeros included", () => {
    const points = toDataPoints(calm, { retirementDate: "2026-12-31" });
    expect(points.map(({ metric }) => metric)).toEqual(
      metrics.filter(({ when }) => when === "check").map(({ name }) => name),
    );
    expect(published(calm)).toMatchObject({
      RequestFailed: [0],
      Unauthorized: [0],
      BreakingDrift: [0],
      LatencyMs: [212],
    });
    for (const point of points) {
      const hasEndpoint = metricOf(point.metric as MetricName).dimension === "Endpoint";
      expect([point.endpoint, point.atMs]).toEqual([hasEndpoint ? "passport-list" : undefined, atMs]);
    }
  });

  test.each([10_800, -600])(
    "A scheduled check whose clocks differ by %d s publishes the difference, and no age",
    (skewSeconds) => {
      const points = published({ ...calm, staleness: { ...staleness, skewSeconds, muted: true } });
      expect(points.ClockSkewSeconds).toEqual([Math.abs(skewSeconds)]);
      expect(points).not.toHaveProperty("RecordAgeSeconds");
    },
  );

  test.each(["no-secret", "refused"] as const)(
    "A scheduled check with the outcome %s is our own fault and publishes no metric of V1",
    (kind) => {
      expect(published({ ...calm, outcome: { kind }, staleness: null, tls: null })).toEqual({});
    },
  );

  test("A scheduled check of a host name that resolves to a private address is V1's failure; a configured private address is ours", () => {
    const outcome = { kind: "refused", detail: "address" } as const;
    const resolved: Observation = {
      ...calm,
      outcome,
      staleness: null,
      tls: null,
      attempts: [{ ...outcome, totalMs: 3 }],
    };
    expect(published(resolved)).toEqual({ RequestFailed: [1], Unauthorized: [0] });
    expect(published({ ...resolved, attempts: [] })).toEqual({});
  });

  test("A scheduled check with a 429 is throttled by V1 and publishes no failure", () => {
    expect(
      published({ ...calm, outcome: { kind: "status", status: 429 }, staleness: null, tls: null }),
    ).toEqual({});
  });

  test.each(["status", "redirect", "network", "timeout", "not-json", "truncated"] as const)(
    "A scheduled check with the outcome %s is a failed request, without latency, drift and age",
    (kind) => {
      expect(published({ ...calm, outcome: { kind }, staleness: null, tls: null })).toEqual({
        RequestFailed: [1],
        Unauthorized: [0],
      });
    },
  );

  test("A scheduled check with drift is not a failed request", () => {
    const findings = [finding("breaking", "a"), finding("breaking", "b"), finding("additive", "c")];
    expect(published({ ...calm, findings })).toMatchObject({
      RequestFailed: [0],
      BreakingDrift: [2],
    });
  });

  test("A scheduled check with only a notice has no drift", () => {
    expect(published({ ...calm, findings: [finding("notice", "a")] })).toMatchObject({
      BreakingDrift: [0],
    });
  });

  test("A scheduled check with a 401 is unauthorized and not a failed request", () => {
    expect(published(refused)).toEqual({ RequestFailed: [0], Unauthorized: [1] });
  });

  test("A scheduled check with an exhausted quota publishes QuotaExhausted without a dimension", () => {
    const usage = { current: 5_000, limit: 5_000, exhausted: true };
    expect(toDataPoints({ ...refused, notices: { usage } }, {})).toContainEqual({
      metric: "QuotaExhausted",
      atMs,
      values: [1],
    });
    const tooMany: Observation = { ...refused, outcome: { kind: "status", status: 429 }, notices: { usage } };
    expect(published(tooMany)).toEqual({ QuotaExhausted: [1] });
    expect(published({ ...calm, notices: { usage } })).not.toHaveProperty("QuotaExhausted");
  });

  test("A scheduled check with an unknown age publishes no age, never 0", () => {
    const { ageSteps: _, ...unknown } = staleness;
    for (const odd of [null, unknown, { ...staleness, ageSteps: [] }, { ...staleness, muted: true }])
      expect(published({ ...calm, staleness: odd })).not.toHaveProperty("RecordAgeSeconds");
  });
});

describe("a check that is not the scheduled primary one", () => {
  test.each(["confirmation", "recovery", "second-opinion"] as const)(
    "A check made as a %s goes to ConfirmationFailed, so that the rates contain only scheduled checks",
    (reason) => {
      expect(published({ ...calm, reason })).toEqual({ ConfirmationFailed: [0] });
      expect(published({ ...refused, reason })).toEqual({ ConfirmationFailed: [1] });
    },
  );

  test("A check without the key goes to UnauthorizedAnonymous", () => {
    const anonymous = { variant: "anonymous", isPrimary: false } as const;
    expect(published({ ...refused, ...anonymous })).toEqual({ UnauthorizedAnonymous: [1] });
    expect(published({ ...calm, ...anonymous })).toEqual({ UnauthorizedAnonymous: [0] });
    const down = { kind: "status", status: 503 } as const;
    expect(published({ ...refused, ...anonymous, outcome: down })).toEqual({});
  });

  test("A check without the key is the primary one where no key is configured", () => {
    expect(published({ ...refused, variant: "anonymous" })).toEqual({
      RequestFailed: [0],
      Unauthorized: [1],
    });
  });

  test.each(["bad-key", "unknown-id", "keyword"] as const)(
    "A check of the variant %s publishes nothing",
    (variant) => {
      expect(published({ ...refused, variant, isPrimary: false })).toEqual({});
    },
  );
});

test("toDataPoints gives only finite points of the list, whatever the observation holds", () => {
  const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -0, 1e300));
  const odd = fc.record({
    endpoint: fc.constantFrom(...endpointIds),
    variant: fc.constantFrom(...variants),
    reason: fc.constantFrom(...checkReasons),
    isPrimary: fc.boolean(),
    kind: fc.constantFrom(...outcomeKinds),
    status: fc.option(fc.integer({ min: 100, max: 599 }), { nil: undefined }),
    totalMs: number,
    ageSteps: fc.option(fc.array(fc.nat(), { maxLength: 400 }), { nil: undefined }),
    notices: fc.record(
      {
        sunset: fc.constantFrom("2026-12-31T00:00:00Z", "2020-01-01T00:00:00Z", "soon"),
        isSunsetRepeated: fc.constant(true),
      },
      { requiredKeys: [] },
    ),
    expiresAt: fc.constantFrom("2027-02-01T00:00:00Z", "soon"),
    retirementDate: fc.constantFrom(undefined, "2026-12-31", "2020-01-01", "soon"),
    muted: fc.boolean(),
    levels: fc.array(fc.constantFrom(...levels), { maxLength: 24 }),
  });
  fc.assert(
    fc.property(odd, (row) => {
      const { endpoint, variant, reason, isPrimary } = row;
      const strange = {
        ...calm,
        endpoint,
        variant,
        reason,
        isPrimary,
        outcome: { kind: row.kind, ...(row.status && { status: row.status }) },
        timings: { totalMs: row.totalMs },
        staleness: { ...staleness, ageSteps: row.ageSteps, muted: row.muted },
        notices: row.notices,
        tls: { expiresAt: row.expiresAt },
        findings: row.levels.map((level, index) => finding(level, `f${index}`)),
      } as Observation;
      const points = toDataPoints(strange, { retirementDate: row.retirementDate });
      for (const point of points) {
        expect(Number.isInteger(point.atMs)).toBe(true);
        expect(point.values.length).toBeGreaterThan(0);
        expect(point.values.every(Number.isFinite)).toBe(true);
        expect(point.counts?.length ?? point.values.length).toBe(point.values.length);
        expect(customMetrics).toContainEqual({
          name: point.metric,
          ...(point.endpoint && { endpoint: point.endpoint }),
        });
      }
      const outcomes = points.filter(({ metric }) => metric === "RequestFailed");
      if (!isPrimary || reason !== "scheduled") expect(outcomes).toEqual([]);
      expect(outcomes.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500 },
  );
});

describe("RecordAgeSeconds", () => {
  const pointOf = (ageSteps: number[]) =>
    toDataPoints({ ...calm, staleness: { ...staleness, ageSteps } }, {}).find(
      ({ metric }) => metric === "RecordAgeSeconds",
    );

  test("RecordAgeSeconds holds each distinct age with the number of its records", () => {
    expect(pointOf([600, 0, 0, 5, 86_400])).toMatchObject({
      values: [60, 60.5, 8_700.5],
      counts: [3, 1, 1],
    });
  });

  test.each([1, 2, 19, 25, 151, 999])(
    "RecordAgeSeconds of %d records has the statistics of their ages",
    (count) => {
      const startedMs = Date.parse(at);
      const records = Array.from({ length: count }, (_, index) => ({
        last_calculated_at: new Date(startedMs - (index % 700) ** 2 * 1_000 - 500).toISOString(),
      }));
      const measured = measureStaleness("passport-list", records, { nowMs: startedMs, maxSkewSeconds: 60 });
      expect(observation.parse({ ...calm, staleness: measured })).toBeDefined();
      const ages = records.map(
        ({ last_calculated_at }) => (startedMs - Date.parse(last_calculated_at)) / 1_000,
      );
      const { values, counts } = pointOf(measured.ageSteps ?? [])!;
      const samples = values.map((value, index) => ({ value, count: counts![index]! }));
      expect(aggregate(samples, "SampleCount")).toBe(count);
      expect(aggregate(samples, "Sum")).toBeCloseTo(
        ages.reduce((sum, age) => sum + age, 0),
        3,
      );
      expect(aggregate(samples, "Minimum")).toBe(measured.ages?.newest);
      expect(aggregate(samples, "p50")).toBe(measured.ages?.p50);
      expect(aggregate(samples, "p95")).toBe(measured.ages?.p95);
      expect(aggregate(samples, "Maximum")).toBe(measured.ages?.oldest);
    },
  );

  test("RecordAgeSeconds of more than 1,000 records has 1,000 of them, with the newest, the oldest and the median", () => {
    const nowMs = Date.parse(at);
    const records = Array.from({ length: 40_000 }, (_, index) => ({
      last_calculated_at: new Date(nowMs - index * 1_000).toISOString(),
    }));
    const measured = measureStaleness("passport-list", records, { nowMs, maxSkewSeconds: 60 });
    expect(observation.parse({ ...calm, staleness: measured })).toBeDefined();
    const ages = readAges(measured);
    expect([ages.length, ages[0], ages.at(-1)]).toEqual([1_000, 0, 39_999]);
    expect(Math.abs(ages[500]! - 20_000)).toBeLessThan(40);
  });
});

describe("the dates", () => {
  const sunset = "2026-12-15T12:00:00Z";

  test("The dates are those of a Sunset that an earlier check has found too, and of the certificate", () => {
    expect(published({ ...calm, notices: { sunset } })).not.toHaveProperty("DaysToRetirement");
    const repeated = { sunset, isSunsetRepeated: true } as const;
    expect(published({ ...calm, notices: repeated })).toMatchObject({
      DaysToRetirement: [30],
      CertificateDaysLeft: [77],
    });
    // Also of a response that fails or is throttled, while the date lies ahead.
    for (const outcome of [
      { kind: "status", status: 503 },
      { kind: "status", status: 429 },
    ] as const)
      expect(published({ ...calm, outcome, notices: repeated })).toMatchObject({ DaysToRetirement: [30] });
    const passed = { sunset: "2026-11-10T00:00:00Z", isSunsetRepeated: true } as const;
    expect(published({ ...calm, notices: passed })).toMatchObject({ DaysToRetirement: [-5] });
    const failed: Observation = { ...refused, notices: passed };
    expect(published(failed)).not.toHaveProperty("DaysToRetirement");
  });

  test("The dates are the configured one first, unless it is over and V1 names a later one", () => {
    const notices = { sunset, isSunsetRepeated: true } as const;
    expect(published(calm, "2026-11-25")).toMatchObject({ DaysToRetirement: [10] });
    expect(published({ ...calm, notices }, "2027-01-31")).toMatchObject({ DaysToRetirement: [77] });
    expect(published({ ...calm, notices }, "2026-11-01")).toMatchObject({ DaysToRetirement: [30] });
    expect(published(calm, "2026-11-01")).toMatchObject({ DaysToRetirement: [-14] });
  });

  test("The dates are not published with confirmations and with variants", () => {
    expect(published({ ...calm, reason: "recovery" }, "2026-11-25")).toEqual({ ConfirmationFailed: [0] });
    expect(published({ ...calm, variant: "keyword", isPrimary: false }, "2026-11-25")).toEqual({});
  });
});

test("The assessment's status contains what is known, and omits what is unknown or not a finite number", () => {
  const points = statusPoints({ atMs, assessmentCompleted: 1, budgetLeft: 0, openIncidents: 0 });
  expect(names(points)).toEqual({ AssessmentCompleted: [1], BudgetLeft: [0], OpenIncidents: [0] });
  expect(statusPoints({ atMs, undeliveredAlerts: Number.NaN, budgetLeft: undefined })).toEqual([]);
  expect(names(statusPoints({ atMs, unconfirmedSubscriptions: 0 }))).toEqual({
    UnconfirmedSubscriptions: [0],
  });
});
