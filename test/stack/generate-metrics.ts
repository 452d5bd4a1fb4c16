// What a watch publishes while V1 and the watch itself behave as told, as CloudWatch would have it: the metrics of the checks,
// of the assessment, and those that AWS counts for the functions.
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { createChance } from "../random.ts";
import type { Sample } from "./evaluate-alarm.ts";
import type { Series } from "./play-alarms.ts";

const minuteMs = 60_000;
const dayMinutes = 1_440;
export const startMs = Date.parse("2026-11-01T00:00:00Z");

/** What one scheduled check of an endpoint found. */
export type Check = {
  outcome: "ok" | "failed" | "401" | "no-secret";
  breaking: number;
  latencyMs: number;
  newestSeconds: number;
  daysToRetirement: number | undefined;
  certificateDays: number;
};

/** How the assessment ends a run. "off": it is not started. */
export type Assessment = "completes" | "off" | "throws" | "hangs" | "rules throw" | "cannot deliver";

export type World = {
  days: number;
  seed?: number;
  /** The cadence of each endpoint, in minutes. */
  checkMinutes?: number;
  /** The share of checks that fail at random, half of them with 401. */
  errorShare?: number;
  /** What is different from a healthy V1. */
  check?(minute: number, endpoint: EndpointId, index: number): Partial<Check>;
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
};

export function generateMetrics(world: World): Series {
  const { days, seed = 1, checkMinutes = 36, errorShare = 0 } = world;
  const chance = createChance(seed);
  const series: Series = new Map();
  const put = (key: string, atMs: number, value: number) => {
    const samples: Sample[] = series.get(key) ?? [];
    samples.push({ atMs, value });
    series.set(key, samples);
  };
  for (let minute = 0; minute < days * dayMinutes; minute += 1) {
    // Schedulers are late by up to half a minute.
    const atMs = startMs + minute * minuteMs + Math.floor(chance() * 30_000);
    for (const [index, endpoint] of endpointIds.entries()) {
      const name = `v1watch-probe-${endpoint}`;
      if (world.throttles?.(minute)) put(`Throttles ${name}`, atMs, 1);
      if (world.isProbing?.(minute, endpoint) === false) continue;
      put(`Invocations ${name}`, atMs, 1);
      const isLost = world.proberErrors?.(minute, endpoint) ?? false;
      put(`Errors ${name}`, atMs, isLost ? 1 : 0);
      // The endpoints take turns.
      const offset = Math.floor((index * checkMinutes) / endpointIds.length);
      if (isLost || minute % checkMinutes !== offset) continue;
      const at = Math.floor(minute / checkMinutes);
      const isRandom = chance() < errorShare;
      const random: Check["outcome"] = chance() < 0.5 ? "401" : "failed";
      const check = { ...healthy, ...world.check?.(minute, endpoint, at) };
      const outcome = check.outcome === "ok" && isRandom ? random : check.outcome;
      if (outcome === "no-secret") continue;
      put(`RequestFailed ${endpoint}`, atMs, outcome === "failed" ? 1 : 0);
      put(`Unauthorized ${endpoint}`, atMs, outcome === "401" ? 1 : 0);
      if (outcome !== "ok") continue;
      put(`BreakingDrift ${endpoint}`, atMs, check.breaking);
      put(`LatencyMs ${endpoint}`, atMs, check.latencyMs * (0.8 + 0.4 * chance()));
      put(`RecordAgeSeconds ${endpoint}`, atMs, check.newestSeconds);
      put(`RecordAgeSeconds ${endpoint}`, atMs, check.newestSeconds + 30 * 86_400);
      put("CertificateDaysLeft", atMs, check.certificateDays);
      if (check.daysToRetirement !== undefined) put("DaysToRetirement", atMs, check.daysToRetirement);
    }
    const how = minute % 5 === 0 ? (world.assessment?.(minute) ?? "completes") : "off";
    if (how === "off") continue;
    put("Invocations v1watch-assess", atMs, 1);
    put("Errors v1watch-assess", atMs, how === "throws" || how === "hangs" ? 1 : 0);
    if (how === "completes" || how === "cannot deliver") put("AssessmentCompleted", atMs, 1);
    if (how === "throws" || how === "hangs") continue;
    put("UndeliveredAlerts", atMs, how === "cannot deliver" ? 2 : 0);
    put("OpenIncidents", atMs, 0);
  }
  return series;
}
