// One valid observation with the fewest words; what a test does not name is as on a calm day.

import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { linkRelations, type Observation, outcomeKinds, variants } from "../../lib/records/observation.ts";
import { fc } from "../random.ts";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

type Overrides = Partial<Omit<Observation, "at" | "outcome" | "staleness">> & {
  /** An instant, or milliseconds. */
  at?: string | number;
  outcome?: Observation["outcome"];
  /** A shorthand for the outcome: 200, 401, 302, 503. */
  status?: number;
  /** Laid over the defaults of an `ok`; null for none. */
  staleness?: Partial<NonNullable<Observation["staleness"]>> | null;
};

const outcomeOf = (status: number): Observation["outcome"] => ({
  kind:
    status === 200
      ? "ok"
      : status === 401
        ? "unauthorized"
        : status >= 300 && status < 400
          ? "redirect"
          : "status",
  status,
});

/** Ages in seconds, ascending → as an observation stores them. */
export const stepsOf = (ages: readonly number[]): number[] =>
  ages.map((age, index) => Math.round(age * 10) - Math.round((ages[index - 1] ?? 0) * 10));

/** 25 records: the newest, 12 of up to a day, 11 of up to ten days, and the oldest. */
const calmAges = [
  7_800,
  ...Array.from({ length: 11 }, (_, index) => 14_400 + index * 6_500.5),
  86_400,
  ...Array.from({ length: 10 }, (_, index) => 120_000 + index * 70_000),
  864_000,
  2_000_000,
];

const calmStaleness: NonNullable<Observation["staleness"]> = {
  records: 25,
  ages: { newest: 7_800, p50: 86_400, p95: 864_000, oldest: 2_000_000 },
  ageSteps: stepsOf(calmAges),
  dated: 25,
  missing: 0,
  null: 0,
  future: 0,
  unparsable: 0,
  calculating: 0,
  skewSeconds: 0,
  muted: false,
};

export function observationOf(overrides: Overrides = {}): Observation {
  const { at = "2026-11-15T00:00:00.000Z", status = 200, staleness, ...rest } = overrides;
  const endpoint: EndpointId = rest.endpoint ?? "passport-list";
  const kind = rest.variant ?? "authenticated";
  const outcome = rest.outcome ?? outcomeOf(status);
  const instant = new Date(at).toISOString();
  const isOk = outcome.kind === "ok";
  return {
    schema: "v1watch/observation/2",
    id: `${endpoint}/${kind}/${instant}`,
    endpoint,
    variant: kind,
    at: instant,
    reason: "scheduled",
    isPrimary: kind === "authenticated",
    attempts: [{ kind: outcome.kind, totalMs: 150 }],
    outcome,
    timings: { firstByteMs: 120, totalMs: 150 },
    bytes: { wire: 900, body: isOk ? 4_000 : 40 },
    tls: null,
    findings: [],
    findingsOmitted: 0,
    staleness: isOk && staleness !== null ? { ...calmStaleness, ...staleness } : null,
    // As the probe says it of a documented path with a known sample.
    notices: outcome.status === 404 || outcome.status === 410 ? { withdrawn: true } : {},
    evidence: [],
    ...rest,
  };
}

/** One tick: the same for all three endpoints. */
export function tickOf(at: string | number, overrides: Omit<Overrides, "at" | "endpoint"> = {}) {
  return endpointIds.map((endpoint) => observationOf({ ...overrides, at, endpoint }));
}

const instantBetween = (fromMs: number, untilMs: number) =>
  fc.integer({ min: fromMs, max: untilMs }).map((ms) => new Date(ms).toISOString());
const someDate = fc.oneof(
  instantBetween(Date.UTC(2026, 0), Date.UTC(2029, 0)),
  fc.constantFrom("0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
);
const natural = fc.oneof(fc.nat(30), fc.nat(), fc.constant(Number.MAX_SAFE_INTEGER));
const seconds = fc.oneof(fc.nat(10_000_000), fc.double({ min: 0, max: 1e300, noNaN: true }));

const anyNotices: fc.Arbitrary<Observation["notices"]> = fc
  .record(
    {
      sunset: someDate,
      sunsetText: fc.constantFrom("soon", "soon, [...]", "31.12.2026", ""),
      message: fc.constant(true as const),
      deprecation: fc.record(
        { form: fc.constantFrom("rfc9745", "draft-true", "http-date", "unreadable"), at: someDate },
        { requiredKeys: ["form"] },
      ),
      contradictory: fc.constant(true as const),
      links: fc.subarray([...linkRelations]),
      warning: fc.integer({ min: 100, max: 999 }),
      retryAfterSeconds: seconds,
      usage: fc.record(
        { current: natural, limit: natural, exhausted: fc.boolean() },
        { requiredKeys: ["exhausted"] },
      ),
      redirect: fc.record({
        origin: fc.constantFrom("same", "other"),
        leadsTo: fc.constantFrom("v1", "other-version", "elsewhere"),
      }),
      withdrawn: fc.constant(true as const),
      body: fc.constantFrom("v2-shaped", "stub-data", "empty"),
    },
    { requiredKeys: [] },
  )
  .map((notices) => notices as Observation["notices"]);

const anyStaleness = fc
  .record(
    {
      records: natural,
      total: natural,
      ageSteps: fc.array(fc.nat(), { maxLength: 200 }),
      ages: fc.record({ newest: seconds, p50: seconds, p95: seconds, oldest: seconds }),
      skewSeconds: fc.double({ noNaN: true, noDefaultInfinity: true }),
      muted: fc.boolean(),
      dated: natural,
    },
    { requiredKeys: ["records", "muted", "dated"] },
  )
  .map((some) => ({ ...calmStaleness, ...some }));

const anyOutcome = fc
  .record(
    {
      kind: fc.constantFrom(...outcomeKinds),
      status: fc.oneof(fc.constantFrom(200, 301, 302, 401, 403, 404, 410, 429, 500, 503), fc.integer()),
      detail: fc.constantFrom("quota", "dns", "reset"),
    },
    { requiredKeys: ["kind"] },
  )
  .map((outcome) => outcome as Observation["outcome"]);

/** Any observation that its schema allows, in all that an assessment reads. */
export function anyObservation(
  at: fc.Arbitrary<string> = instantBetween(Date.UTC(2026, 0), Date.UTC(2027, 0)),
): fc.Arbitrary<Observation> {
  return fc
    .record({
      at,
      endpoint: fc.constantFrom(...endpointIds),
      variant: fc.constantFrom(...variants),
      outcome: anyOutcome,
      notices: anyNotices,
      staleness: fc.option(anyStaleness),
    })
    .map((some) => observationOf(some as Overrides));
}

/** As the fold gives them: in the order of (at, id), each once. */
export function anyHistory(maxLength: number): fc.Arbitrary<Observation[]> {
  return fc
    .array(fc.tuple(fc.integer({ min: 0, max: 6 * hourMs }), anyObservation()), { maxLength })
    .map((steps) => {
      let atMs = Date.UTC(2026, 10, 1);
      return steps.map(([gapMs, one]) => {
        atMs += gapMs;
        const at = new Date(atMs).toISOString();
        return { ...one, at, id: `${one.endpoint}/${one.variant}/${at}` };
      });
    });
}
