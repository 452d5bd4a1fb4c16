import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aggregate } from "../../lib/assess/alarms/evaluate-alarm.ts";
import { customMetrics, metrics, statusPoints, toDataPoints } from "../../lib/assess/metrics.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { type MetricPoint, metricPoint } from "../../lib/records/metric-point.ts";
import {
  type Finding,
  levels,
  type Observation,
  observation,
  outcomeKinds,
  type Staleness,
  variants,
} from "../../lib/records/observation.ts";

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

const told = (observed: Observation) => toDataPoints(observed, "authenticated");

const all = (observed: Observation) => Object.values(told(observed)).flat();

/** What is published with every good check. */
const served = { RequestFailed: [0], Unauthorized: [0] };

describe("the catalogue", () => {
  test("can never make more than 40 custom metrics, whatever V1 answers", () => {
    expect(customMetrics.length).toBeLessThanOrEqual(40);
    expect(new Set(customMetrics.map(({ name, endpoint }) => `${name} ${endpoint}`)).size).toBe(
      customMetrics.length,
    );
  });

  test("tells each metric as often as it says", () => {
    const whenOf = new Map<string, string>(metrics.map(({ name, when }) => [name, when]));
    const kinds = (points: readonly MetricPoint[]) =>
      [...new Set(points.map(({ metric }) => whenOf.get(metric)))].toSorted();
    const findings = [finding("additive", "a")];
    const { now, sampled, daily } = told({ ...calm, findings });
    expect(kinds(now)).toEqual(["eventful", "troubled"]);
    expect(kinds(told(calm).now)).toEqual(["troubled"]);
    expect(kinds(sampled)).toEqual(["sampled"]);
    expect(kinds(daily)).toEqual(["daily"]);
    expect(metrics.filter(({ when }) => when === "always").map(({ name }) => name)).toEqual(["ProbersAlive"]);
  });
});

describe("an observation", () => {
  test("that is calm gives latency and newest age now and then, and all ages once a day", () => {
    const point = (metric: string, value: number) => ({
      ...{ metric, endpoint: "passport-list", atMs, values: [value] },
    });
    const { now, sampled, daily } = told(calm);
    expect(names(now)).toEqual({ ...served, BreakingDrift: [0] });
    expect(sampled).toEqual([point("LatencyMs", 212), { metric: "NewestAgeSeconds", atMs, values: [7_800] }]);
    expect(daily.map(({ metric }) => metric)).toEqual(["RecordAgeSeconds"]);
    expect(names(told({ ...calm, endpoint: "passport" }).sampled)).not.toHaveProperty("NewestAgeSeconds");
  });

  test.each(["no-secret", "refused"] as const)(
    "of kind %s is our own fault and says nothing of V1",
    (kind) => {
      expect(all({ ...calm, outcome: { kind }, staleness: null })).toEqual([]);
    },
  );

  test("of a name that leads to a private address is V1's failure; an address that was configured so is ours", () => {
    const outcome = { kind: "refused", detail: "address" } as const;
    const looked: Observation = { ...calm, outcome, staleness: null, attempts: [{ ...outcome, totalMs: 3 }] };
    expect(names(all(looked))).toEqual({ RequestFailed: [1], Unauthorized: [0] });
    expect(all({ ...looked, attempts: [] })).toEqual([]);
  });

  test("of a 429 is our own request rate, not V1's failure", () => {
    expect(all({ ...calm, outcome: { kind: "status", status: 429 }, staleness: null })).toEqual([]);
  });

  test.each(["status", "redirect", "network", "timeout", "not-json", "truncated"] as const)(
    "of kind %s is a failure at once, without a latency, and nothing else",
    (kind) => {
      const { now, ...rest } = told({ ...calm, outcome: { kind }, staleness: null });
      expect(names(now)).toEqual({ RequestFailed: [1], Unauthorized: [0] });
      expect(Object.values(rest).flat()).toEqual([]);
    },
  );

  test("that is good is published as zeros, with every check", () => {
    expect(names(told(calm).now)).toEqual({ ...served, BreakingDrift: [0] });
  });

  test("with drift is an answer all the same", () => {
    const findings = [finding("breaking", "a"), finding("breaking", "b"), finding("additive", "c")];
    const drifting = { ...calm, findings };
    expect(names(told(drifting).now)).toEqual({ ...served, BreakingDrift: [2], AdditiveDrift: [1] });
  });

  test("with a notice only is no drift", () => {
    const { now } = told({ ...calm, findings: [finding("notice", "a")] });
    expect(names(now)).toEqual({ ...served, BreakingDrift: [0] });
  });

  test("of a 401 is counted by its key", () => {
    expect(names(told(refused).now)).toEqual({ RequestFailed: [0], Unauthorized: [1] });
    expect(names(all({ ...refused, variant: "anonymous" }))).toEqual({ UnauthorizedAnonymous: [1] });
    expect(all({ ...refused, variant: "bad-key" })).toEqual([]);
  });

  test("of an exhausted quota says so, without a dimension: the key is one", () => {
    const usage = { current: 5_000, limit: 5_000, exhausted: true };
    expect(told({ ...refused, notices: { usage } }).now).toContainEqual({
      metric: "QuotaExhausted",
      atMs,
      values: [1],
    });
    const tooMany: Observation = { ...refused, outcome: { kind: "status", status: 429 }, notices: { usage } };
    expect(names(all(tooMany))).toEqual({ QuotaExhausted: [1] });
    expect(names(all({ ...calm, notices: { usage } }))).not.toHaveProperty("QuotaExhausted");
  });

  test("with an unknown age emits no age, never 0", () => {
    const { ages: _, ...unknown } = staleness;
    const future = { ...staleness, ages: { newest: -60, p50: 1, p95: 1, oldest: 1 } };
    for (const odd of [null, { ...unknown, dated: 0 }, { ...staleness, muted: true }, future]) {
      const said = names(all({ ...calm, staleness: odd }));
      expect(said).not.toHaveProperty("NewestAgeSeconds");
      expect(said).not.toHaveProperty("RecordAgeSeconds");
    }
  });

  test("of the 404 for an unknown id is not a failure of V1", () => {
    expect(all({ ...calm, variant: "unknown-id", outcome: { kind: "status", status: 404 } })).toEqual([]);
  });

  test("gives only points of the catalogue, finite and of the record's form, whatever it holds", () => {
    const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -0, 1e300));
    const odd = fc.record({
      endpoint: fc.constantFrom(...endpointIds),
      variant: fc.constantFrom(...variants),
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
        const strange = {
          ...calm,
          endpoint: row.endpoint,
          variant: row.variant,
          outcome: { kind: row.kind, ...(row.status && { status: row.status }) },
          timings: { totalMs: row.totalMs },
          staleness: { ...staleness, ages: row.ages, dated: row.dated, muted: row.muted },
          findings: row.levels.map((level, index) => finding(level, `f${index}`)),
        } as Observation;
        const points = Object.values(toDataPoints(strange, "authenticated")).flat();
        for (const point of points) {
          metricPoint.parse(point);
          expect(customMetrics).toContainEqual({
            name: point.metric,
            ...(point.endpoint && { endpoint: point.endpoint }),
          });
        }
        const outcomes = points.filter(({ metric }) => metric === "RequestFailed");
        if (row.variant !== "authenticated") expect(outcomes).toEqual([]);
        expect(outcomes.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the daily ages", () => {
  test.each([1, 2, 19, 20, 25, 38, 1_000])(
    "of %d records keep their median, their p95 and their number",
    (dated) => {
      // Nearest rank, as the probe measures: record number n is n seconds old.
      const ages = {
        newest: 1,
        p50: Math.ceil(dated * 0.5),
        p95: Math.ceil(dated * 0.95),
        oldest: dated,
      };
      const { daily } = told({ ...calm, staleness: { ...staleness, ages, dated, records: dated } });
      const point = daily.find(({ metric }) => metric === "RecordAgeSeconds");
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
  test("tells what it knows, a passed date and an empty budget included", () => {
    const points = statusPoints({ atMs, daysToRetirement: -3, budgetLeft: 0, openIncidents: 0 });
    expect(names(points)).toEqual({ DaysToRetirement: [-3], BudgetLeft: [0], OpenIncidents: [0] });
  });

  test("is silent on what it does not know, and on what is no number", () => {
    expect(statusPoints({ atMs, daysToRetirement: Number.NaN, budgetLeft: undefined })).toEqual([]);
    expect(names(statusPoints({ atMs, certificateDaysLeft: 12 }))).toEqual({ CertificateDaysLeft: [12] });
  });
});
