import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aggregate } from "../../lib/assess/evaluate.ts";
import {
  customMetrics,
  heartbeat,
  metrics,
  pointsOf,
  pointsOfTick,
  recordAgePoints,
  statusPoints,
} from "../../lib/assess/metrics.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { metricPoint } from "../../lib/records/metric-point.ts";
import {
  cases,
  type Finding,
  levels,
  type Observation,
  observation,
  outcomeKinds,
  type Staleness,
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
  schema: "v1watch/observation/1",
  id: "passport-list/keyed/29385760",
  endpoint: "passport-list",
  case: "keyed",
  at,
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

const told = (points: readonly { metric: string; values: number[] }[]) =>
  Object.fromEntries(points.map(({ metric, values }) => [metric, values]));

describe("the catalogue", () => {
  test("can never make more than 40 custom metrics, whatever V1 answers", () => {
    expect(customMetrics.length).toBeLessThanOrEqual(40);
    expect(new Set(customMetrics.map(({ name, endpoint }) => `${name} ${endpoint}`)).size).toBe(
      customMetrics.length,
    );
  });

  test("publishes about ten metrics in a calm month: seven of V1 and two heartbeats, the daily ones an hour a day", () => {
    const share = { always: 1, daily: 1 / 24, eventful: 0 };
    const whenOf = new Map(metrics.map(({ name, when }) => [name, when]));
    const published = customMetrics.map(({ name }) => share[whenOf.get(name)!]);
    expect(published.filter((part) => part === 1)).toHaveLength(9);
    expect(published.reduce((sum, part) => sum + part, 0)).toBeLessThan(9.5);
  });

  test("says always what a calm tick of all endpoints sends, and nothing else", () => {
    const sent = endpointIds.flatMap((endpoint) => pointsOf({ ...calm, endpoint }));
    const names = new Set([...sent, heartbeat("ProberHeartbeat", atMs)].map(({ metric }) => metric));
    const always = metrics.filter(({ when }) => when === "always").map(({ name }) => name as string);
    expect([...names, "AssessmentHeartbeat"].toSorted()).toEqual(always.toSorted());
    expect(sent).toHaveLength(7);
  });
});

describe("an observation", () => {
  test("that is calm gives an answer, latency and the newest age, stamped with the probe's start", () => {
    expect(pointsOf(calm)).toEqual([
      { metric: "Answered", endpoint: "passport-list", atMs, values: [1] },
      { metric: "LatencyMs", endpoint: "passport-list", atMs, values: [212] },
      { metric: "NewestAgeSeconds", atMs, values: [7_800] },
    ]);
    expect(told(pointsOf({ ...calm, endpoint: "passport" }))).not.toHaveProperty("NewestAgeSeconds");
  });

  test.each(["no-secret", "refused"] as const)(
    "of kind %s is our own fault and says nothing of V1",
    (kind) => {
      const ours: Observation = { ...calm, outcome: { kind }, staleness: null };
      expect(pointsOf(ours)).toEqual([]);
      expect(told(pointsOfTick(atMs, [ours]))).toEqual({ ProberHeartbeat: [1] });
    },
  );

  test("of a 429 is our pace, not V1's failure", () => {
    expect(pointsOf({ ...calm, outcome: { kind: "status", status: 429 }, staleness: null })).toEqual([]);
  });

  test.each(["status", "redirect", "network", "timeout", "not-json", "truncated"] as const)(
    "of kind %s is a failure without a latency",
    (kind) => {
      expect(told(pointsOf({ ...calm, outcome: { kind }, staleness: null }))).toEqual({ Answered: [0] });
    },
  );

  test("with drift is an answer all the same", () => {
    const findings = [finding("breaking", "a"), finding("breaking", "b"), finding("additive", "c")];
    expect(told(pointsOf({ ...calm, findings }))).toMatchObject({
      Answered: [1],
      BreakingDrift: [2],
      AdditiveDrift: [1],
    });
  });

  test("with a notice only is no drift", () => {
    expect(told(pointsOf({ ...calm, findings: [finding("notice", "a")] }))).not.toHaveProperty(
      "AdditiveDrift",
    );
  });

  test("of a 401 is counted by its key", () => {
    expect(told(pointsOf(refused))).toEqual({ Answered: [1], Unauthorized: [1] });
    expect(told(pointsOf({ ...refused, case: "keyless" }))).toEqual({ UnauthorizedKeyless: [1] });
    expect(pointsOf({ ...refused, case: "bad-key" })).toEqual([]);
  });

  test("of an exhausted quota says so, without a dimension: the key is one", () => {
    const usage = { current: 5_000, limit: 5_000, exhausted: true };
    expect(pointsOf({ ...refused, notices: { usage } })).toContainEqual({
      metric: "QuotaExhausted",
      atMs,
      values: [1],
    });
    const tooMany: Observation = { ...refused, outcome: { kind: "status", status: 429 }, notices: { usage } };
    expect(told(pointsOf(tooMany))).toEqual({ QuotaExhausted: [1] });
    expect(told(pointsOf({ ...calm, notices: { usage } }))).not.toHaveProperty("QuotaExhausted");
  });

  test("with an unknown age emits no age, never 0", () => {
    const { ages: _, ...unknown } = staleness;
    const future = { ...staleness, ages: { newest: -60, p50: 1, p95: 1, oldest: 1 } };
    for (const odd of [null, { ...unknown, dated: 0 }, { ...staleness, muted: true }, future]) {
      expect(told(pointsOf({ ...calm, staleness: odd }))).not.toHaveProperty("NewestAgeSeconds");
      expect(recordAgePoints({ ...calm, staleness: odd })).toEqual([]);
    }
  });

  test("of the 404 for an unknown id is not a failure of V1", () => {
    const unknown: Observation = { ...calm, case: "unknown-id", outcome: { kind: "status", status: 404 } };
    expect(pointsOf(unknown)).toEqual([]);
  });

  test("gives only points of the catalogue, finite and of the record's form, whatever it holds", () => {
    const number = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -0, 1e300));
    const odd = fc.record({
      endpoint: fc.constantFrom(...endpointIds),
      case: fc.constantFrom(...cases),
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
          case: row.case,
          outcome: { kind: row.kind, ...(row.status && { status: row.status }) },
          timings: { totalMs: row.totalMs },
          staleness: { ...staleness, ages: row.ages, dated: row.dated, muted: row.muted },
          findings: row.levels.map((level, index) => finding(level, `f${index}`)),
        } as Observation;
        const points = [...pointsOf(strange), ...recordAgePoints(strange)];
        for (const point of points) {
          metricPoint.parse(point);
          expect(customMetrics).toContainEqual({
            name: point.metric,
            ...(point.endpoint && { endpoint: point.endpoint }),
          });
        }
        const successes = points.filter(({ metric }) => metric === "Answered");
        if (row.case !== "keyed") expect(successes).toEqual([]);
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
      const [point] = recordAgePoints({ ...calm, staleness: { ...staleness, ages, dated, records: dated } });
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
    expect(told(points)).toEqual({ DaysToRetirement: [-3], BudgetLeft: [0], OpenIncidents: [0] });
  });

  test("is silent on what it does not know, on what is no number, and on an outbox that is empty", () => {
    expect(
      statusPoints({ atMs, undelivered: 0, daysToRetirement: Number.NaN, budgetLeft: undefined }),
    ).toEqual([]);
    expect(told(statusPoints({ atMs, undelivered: 2, certificateDaysLeft: 12 }))).toEqual({
      UndeliveredAlerts: [2],
      CertificateDaysLeft: [12],
    });
  });
});
