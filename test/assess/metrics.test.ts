import { describe, expect, test } from "vitest";
import {
  customMetrics,
  functionNames,
  metrics,
  statusPoints,
  toDataPoints,
} from "../../lib/assess/metrics.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { type MetricPoint, metricPoint } from "../../lib/records/metric-point.ts";
import {
  checkReasons,
  type Finding,
  levels,
  type Observation,
  observation,
  outcomeKinds,
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
  staleness,
  notices: {},
  evidence: [],
});

const refused: Observation = {
  ...calm,
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

const published = (observed: Observation) => names(toDataPoints(observed));

describe("the list of metrics", () => {
  test("has no custom metric twice", () => {
    expect(new Set(customMetrics.map((metric) => JSON.stringify(metric))).size).toBe(customMetrics.length);
  });

  test("has one heartbeat for each function that runs all the time", () => {
    expect(functionNames).toEqual([...endpointIds.map((id) => `probe-${id}`), "assess"]);
    expect(customMetrics.filter(({ name }) => name === "Heartbeat").map((metric) => metric.function)).toEqual(
      [...functionNames],
    );
  });

  test("says of every metric of events what it means that there is no data", () => {
    for (const { name, when, absent } of metrics) if (when === "event") expect(absent, name).toBeTruthy();
  });
});

describe("a scheduled check", () => {
  test("publishes every metric that the list publishes with checks, zeros included", () => {
    const points = toDataPoints(calm);
    expect(points.map(({ metric }) => metric)).toEqual(
      metrics.filter(({ when }) => when === "check").map(({ name }) => name),
    );
    expect(published(calm)).toMatchObject({
      RequestFailed: [0],
      Unauthorized: [0],
      BreakingDrift: [0],
      AdditiveDrift: [0],
      LatencyMs: [212],
    });
    for (const point of points) expect(point).toMatchObject({ endpoint: "passport-list", atMs });
  });

  test.each(["no-secret", "refused"] as const)(
    "with the outcome %s is our own fault and publishes no metric of V1",
    (kind) => {
      expect(published({ ...calm, outcome: { kind }, staleness: null })).toEqual({});
    },
  );

  test("of a host name that resolves to a private address is V1's failure; a configured private address is ours", () => {
    const outcome = { kind: "refused", detail: "address" } as const;
    const resolved: Observation = {
      ...calm,
      outcome,
      staleness: null,
      attempts: [{ ...outcome, totalMs: 3 }],
    };
    expect(published(resolved)).toEqual({ RequestFailed: [1], Unauthorized: [0] });
    expect(published({ ...resolved, attempts: [] })).toEqual({});
  });

  test("with a 429 is throttled by V1 and publishes no failure", () => {
    expect(published({ ...calm, outcome: { kind: "status", status: 429 }, staleness: null })).toEqual({});
  });

  test.each(["status", "redirect", "network", "timeout", "not-json", "truncated"] as const)(
    "with the outcome %s is a failed request, without latency, drift and age",
    (kind) => {
      expect(published({ ...calm, outcome: { kind }, staleness: null })).toEqual({
        RequestFailed: [1],
        Unauthorized: [0],
      });
    },
  );

  test("with drift is not a failed request", () => {
    const findings = [finding("breaking", "a"), finding("breaking", "b"), finding("additive", "c")];
    expect(published({ ...calm, findings })).toMatchObject({
      RequestFailed: [0],
      BreakingDrift: [2],
      AdditiveDrift: [1],
    });
  });

  test("with only a notice has no drift", () => {
    expect(published({ ...calm, findings: [finding("notice", "a")] })).toMatchObject({
      BreakingDrift: [0],
      AdditiveDrift: [0],
    });
  });

  test("with a 401 is unauthorized and not a failed request", () => {
    expect(published(refused)).toEqual({ RequestFailed: [0], Unauthorized: [1] });
  });

  test("with an exhausted quota publishes QuotaExhausted without a dimension", () => {
    const usage = { current: 5_000, limit: 5_000, exhausted: true };
    expect(toDataPoints({ ...refused, notices: { usage } })).toContainEqual({
      metric: "QuotaExhausted",
      atMs,
      values: [1],
    });
    const tooMany: Observation = { ...refused, outcome: { kind: "status", status: 429 }, notices: { usage } };
    expect(published(tooMany)).toEqual({ QuotaExhausted: [1] });
    expect(published({ ...calm, notices: { usage } })).not.toHaveProperty("QuotaExhausted");
  });

  test("with an unknown age publishes no age, never 0", () => {
    const { ages: _, ...unknown } = staleness;
    const future = { ...staleness, ages: { newest: -60, p50: 1, p95: 1, oldest: 1 } };
    for (const odd of [null, { ...unknown, dated: 0 }, { ...staleness, muted: true }, future])
      expect(published({ ...calm, staleness: odd })).not.toHaveProperty("RecordAgeSeconds");
  });
});

describe("a check that is not the scheduled primary one", () => {
  test.each(["confirmation", "recovery", "second-opinion"] as const)(
    "made as a %s goes to ConfirmationFailed, so that the rates contain only scheduled checks",
    (reason) => {
      expect(published({ ...calm, reason })).toEqual({ ConfirmationFailed: [0] });
      expect(published({ ...refused, reason })).toEqual({ ConfirmationFailed: [1] });
    },
  );

  test("without the key goes to UnauthorizedAnonymous", () => {
    const anonymous = { variant: "anonymous", isPrimary: false } as const;
    expect(published({ ...refused, ...anonymous })).toEqual({ UnauthorizedAnonymous: [1] });
    expect(published({ ...calm, ...anonymous })).toEqual({ UnauthorizedAnonymous: [0] });
    const down = { kind: "status", status: 503 } as const;
    expect(published({ ...refused, ...anonymous, outcome: down })).toEqual({});
  });

  test("without the key, where no key is configured, is the primary one", () => {
    expect(published({ ...refused, variant: "anonymous" })).toEqual({
      RequestFailed: [0],
      Unauthorized: [1],
    });
  });

  test.each(["bad-key", "unknown-id", "keyword"] as const)(
    "of the variant %s publishes nothing",
    (variant) => {
      expect(published({ ...refused, variant, isPrimary: false })).toEqual({});
    },
  );
});

test("toDataPoints gives only finite points of the list and of the record's form, whatever the observation holds", () => {
  const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -0, 1e300));
  const odd = fc.record({
    endpoint: fc.constantFrom(...endpointIds),
    variant: fc.constantFrom(...variants),
    reason: fc.constantFrom(...checkReasons),
    isPrimary: fc.boolean(),
    kind: fc.constantFrom(...outcomeKinds),
    status: fc.option(fc.integer({ min: 100, max: 599 }), { nil: undefined }),
    totalMs: number,
    ages: fc.option(fc.record({ newest: number, p50: number, p95: number, oldest: number }), {
      nil: undefined,
    }),
    dated: fc.nat(200),
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
        staleness: { ...staleness, ages: row.ages, dated: row.dated, muted: row.muted },
        findings: row.levels.map((level, index) => finding(level, `f${index}`)),
      } as Observation;
      const points = toDataPoints(strange);
      for (const point of points) {
        metricPoint.parse(point);
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
  test.each([1, 2, 19, 20, 25, 38, 1_000])(
    "of %d records keeps their minimum, median, p95, maximum and number",
    (dated) => {
      // Nearest rank, as the probe measures: record number n is n seconds old.
      const ages = {
        newest: 1,
        p50: Math.ceil(dated * 0.5),
        p95: Math.ceil(dated * 0.95),
        oldest: dated,
      };
      const points = toDataPoints({ ...calm, staleness: { ...staleness, ages, dated, records: dated } });
      const point = points.find(({ metric }) => metric === "RecordAgeSeconds");
      const { values, counts } = metricPoint.parse(point);
      const samples = values.map((value, index) => ({ value, count: counts![index]! }));
      expect(aggregate(samples, "SampleCount")).toBe(dated);
      expect(aggregate(samples, "p50")).toBe(ages.p50);
      expect(aggregate(samples, "p95")).toBe(ages.p95);
      expect(aggregate(samples, "Minimum")).toBe(1);
      expect(aggregate(samples, "Maximum")).toBe(dated);
    },
  );
});

describe("the assessment's status", () => {
  test("contains what is known, including a passed date and an empty budget", () => {
    const points = statusPoints({ atMs, daysToRetirement: -3, budgetLeft: 0, openIncidents: 0 });
    expect(names(points)).toEqual({ DaysToRetirement: [-3], BudgetLeft: [0], OpenIncidents: [0] });
  });

  test("omits what is unknown or not a finite number", () => {
    expect(statusPoints({ atMs, daysToRetirement: Number.NaN, budgetLeft: undefined })).toEqual([]);
    expect(names(statusPoints({ atMs, certificateDaysLeft: 12 }))).toEqual({ CertificateDaysLeft: [12] });
    expect(names(statusPoints({ atMs, unconfirmedSubscriptions: 0 }))).toEqual({
      UnconfirmedSubscriptions: [0],
    });
  });
});
