// What a watch publishes while V1 and the watch itself behave as told, as CloudWatch would have it. The checks are those that the
// probers' own plan makes, and their data points are those of `toDataPoints`; AWS's own metrics of the functions are invented.
import { toDataPoints } from "../../lib/assess/metrics.ts";
import { type Config, durationMs } from "../../lib/config/config.ts";
import { tickMs as tickMsOf } from "../../lib/config/tick.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { findNextTick, forgetDue, type PlannedRequest, planRequests } from "../../lib/probe/schedule/plan.ts";
import { applyResults, type RequestResult } from "../../lib/probe/schedule/probe-state.ts";
import type { MetricPoint } from "../../lib/records/metric-point.ts";
import type { Observation, Variant } from "../../lib/records/observation.ts";
import { classify } from "../../lib/records/outcome.ts";
import { emptyProbeState, type ProbeState } from "../../lib/records/probe-state.ts";
import { observationOf, stepsOf } from "../assess/observation-builder.ts";
import { createChance } from "../random.ts";
import { configure } from "./configuration.ts";
import type { Series } from "./play-alarms.ts";

const minuteMs = 60_000;
const dayMinutes = 1_440;
const dayMs = dayMinutes * minuteMs;
export const startMs = Date.parse("2026-11-01T00:00:00Z");

/** What one check of an endpoint found. */
export type Check = {
  outcome: "ok" | "failed" | "401" | "no-secret";
  breaking: number;
  latencyMs: number;
  newestSeconds: number;
  daysToRetirement: number | undefined;
  certificateDays: number;
  /** V1's clock minus ours. */
  skewSeconds: number;
};

/** How the assessment ends a run. "off": it is not started. */
export type Assessment = "completes" | "off" | "throws" | "hangs" | "rules throw" | "cannot deliver";

export type World = {
  days: number;
  seed?: number;
  /** The smallest one where it is left out: a check every 36 minutes, and probers that start every minute. */
  config?: Config;
  /** The share of checks that fail at random, half of them with 401. */
  errorShare?: number;
  /** What is different from a healthy V1. */
  check?(minute: number, endpoint: EndpointId, index: number, variant: Variant): Partial<Check>;
  assessment?(minute: number): Assessment;
  /** False: the prober is not started. */
  isProbing?(minute: number, endpoint: EndpointId): boolean;
  /** Minutes in which a run of a prober fails. */
  proberErrors?(minute: number, endpoint: EndpointId): boolean;
  throttles?(minute: number): boolean;
};

const healthy: Check = {
  outcome: "ok",
  breaking: 0,
  latencyMs: 210,
  newestSeconds: 3_600,
  daysToRetirement: undefined,
  certificateDays: 60,
  skewSeconds: 0,
};

const shipped = configure();
/** A scheduler has a minute, and a start may wait for a free process. */
const latestMs = 90_000;

const finding = (index: number): Observation["findings"][number] => ({
  id: `retyped/passport/score-${index}`,
  level: "breaking",
  kind: "retyped",
  path: "passport.score",
  expected: "number",
  observed: "string",
  count: 1,
  of: 1,
});

const outcomes: Record<Check["outcome"], Observation["outcome"]> = {
  ok: { kind: "ok", status: 200 },
  failed: { kind: "status", status: 503 },
  "401": { kind: "unauthorized", status: 401 },
  "no-secret": { kind: "no-secret" },
};

function observe(
  { endpoint, variant, reason }: PlannedRequest,
  { atMs, check, config }: { atMs: number; check: Check; config: Config },
): Observation {
  const { newestSeconds, daysToRetirement, certificateDays, latencyMs } = check;
  const isSent = check.outcome !== "no-secret";
  return observationOf({
    endpoint,
    variant,
    reason,
    at: atMs,
    outcome: outcomes[check.outcome],
    attempts: isSent ? [{ kind: outcomes[check.outcome].kind, totalMs: latencyMs }] : [],
    timings: { firstByteMs: latencyMs, totalMs: latencyMs },
    findings: Array.from({ length: check.breaking }, (_, index) => finding(index)),
    staleness: {
      ageSteps: stepsOf([newestSeconds, newestSeconds + 30 * 86_400]),
      skewSeconds: check.skewSeconds,
      muted: Math.abs(check.skewSeconds) > durationMs(config.staleness.maxSkew) / 1_000,
    },
    tls: isSent ? { expiresAt: new Date(atMs + (certificateDays + 0.5) * dayMs).toISOString() } : null,
    notices:
      daysToRetirement === undefined
        ? {}
        : { sunset: new Date(atMs + daysToRetirement * dayMs).toISOString(), isSunsetRepeated: true },
  });
}

export function simulateChecks(world: World): Series {
  const { days, seed = 1, errorShare = 0, config = shipped } = world;
  const chance = createChance(seed);
  const tickMinutes = tickMsOf(config) / minuteMs;
  const cadenceMinutes = durationMs(config.cadence.calm) / minuteMs;
  const series: Series = new Map();
  const put = (key: string, atMs: number, value: number, count = 1) => {
    const samples = series.get(key) ?? [];
    samples.push({ atMs, value, count });
    series.set(key, samples);
  };
  const publish = ({ metric, endpoint, atMs, values, counts }: MetricPoint) => {
    for (const [index, value] of values.entries())
      put(endpoint === undefined ? metric : `${metric} ${endpoint}`, atMs, value, counts?.[index] ?? 1);
  };

  let probeState: ProbeState = emptyProbeState;
  let nextMs = new Map<EndpointId, number>();

  function answer({ endpoint, variant }: PlannedRequest, minute: number): Check {
    const isRandom = chance() < errorShare;
    const random: Check["outcome"] = chance() < 0.5 ? "401" : "failed";
    const index = Math.floor(minute / cadenceMinutes);
    const check = { ...healthy, ...world.check?.(minute, endpoint, index, variant) };
    const outcome = check.outcome === "ok" && isRandom ? random : check.outcome;
    return { ...check, outcome, latencyMs: check.latencyMs * (0.8 + 0.4 * chance()) };
  }

  function tick(endpoint: EndpointId, minute: number, atMs: number): void {
    const tickMs = startMs + minute * minuteMs;
    if (tickMs < (nextMs.get(endpoint) ?? 0)) return;
    const { requests } = planRequests(tickMs, probeState, config, endpoint);
    const made: Observation[] = [];
    const results = requests.map((planned): RequestResult => {
      const { variant, reason, slotMs, isRare, isIfUnauthorized } = planned;
      const row = { endpoint, variant, reason, slotMs, atMs: tickMs };
      // Rare variants publish nothing that an alarm reads.
      if (isRare || (isIfUnauthorized && made.at(-1)?.outcome.kind !== "unauthorized"))
        return { ...row, requests: 0 };
      const observation = observe(planned, { atMs, check: answer(planned, minute), config });
      made.push(observation);
      const name = classify(observation);
      return {
        ...row,
        requests: observation.attempts.length,
        class: name === "none" ? undefined : name,
        sunset: observation.notices.sunset,
      };
    });
    probeState = applyResults(forgetDue(probeState, tickMs, config, [endpoint]), results, { tickMs, config });
    if (results.length > 0) nextMs = new Map();
    nextMs.set(endpoint, findNextTick(tickMs, probeState, config, endpoint));
    for (const observation of made) for (const point of toDataPoints(observation, {})) publish(point);
  }

  for (let minute = 0; minute < days * dayMinutes; minute += 1) {
    const startLate = () => startMs + minute * minuteMs + Math.floor(chance() * latestMs);
    for (const endpoint of minute % tickMinutes === 0 ? endpointIds : []) {
      const atMs = startLate();
      const name = `v1watch-probe-${endpoint}`;
      if (world.throttles?.(minute)) put(`Throttles ${name}`, atMs, 1);
      if (world.isProbing?.(minute, endpoint) === false) continue;
      put(`Invocations ${name}`, atMs, 1);
      const isLost = world.proberErrors?.(minute, endpoint) ?? false;
      put(`Errors ${name}`, atMs, isLost ? 1 : 0);
      if (!isLost) tick(endpoint, minute, atMs);
    }
    const how = minute % 5 === 0 ? (world.assessment?.(minute) ?? "completes") : "off";
    if (how === "off") continue;
    const atMs = startLate();
    put("Invocations v1watch-assess", atMs, 1);
    put("Errors v1watch-assess", atMs, how === "throws" || how === "hangs" ? 1 : 0);
    if (how === "completes" || how === "cannot deliver") put("AssessmentCompleted", atMs, 1);
    if (how === "throws" || how === "hangs") continue;
    put("UndeliveredAlerts", atMs, how === "cannot deliver" ? 2 : 0);
    put("OpenIncidents", atMs, 0);
  }
  // A late start may be after the next one.
  for (const samples of series.values()) samples.sort((one, other) => one.atMs - other.atMs);
  return series;
}
