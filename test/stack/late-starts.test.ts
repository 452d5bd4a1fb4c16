// Alarms over outages that begin and end at random, while probers start up to 90 s late: an outage is one ALARM and one OK.
import { describe, expect, test } from "vitest";
import type { Config } from "../../lib/config/config.ts";
import { durationMs } from "../../lib/config/config.ts";
import { tickMs } from "../../lib/config/tick.ts";
import { createChance } from "../random.ts";
import { configure } from "./configuration.ts";
import { playAlarms } from "./play-alarms.ts";
import { type Check, simulateChecks, startMs } from "./simulate-checks.ts";
import { ofType, type Resources, synthesise } from "./synthesis.ts";

process.env.CDK_VALIDATION = "false";
const minuteMs = 60_000;
const runs = Number(process.env.V1WATCH_RUNS ?? 200);
const firstSeed = Number(process.env.V1WATCH_SEED ?? 1);
const budget = { monthlyRequests: 1_000_000 };

/** Cadences, and how often the probers start. */
const rhythms = [
  {},
  { confirm: "5m" },
  { confirm: "15m" },
  { calm: "1h", confirm: "10m" },
  { calm: "50m", confirm: "7m" },
  { calm: "16m", confirm: "15m" },
  { calm: "5m", confirm: "1m" },
  { calm: "2h", confirm: "15m" },
].map((cadence) => {
  const config = configure({ cadence, budget });
  const { resources } = synthesise(config);
  return { cadence, config, alarms: (id: string) => alarmsOf(resources, id) };
});

/** The alarms whose name begins so, without the others, which take time. */
const alarmsOf = (resources: Resources, id: string): Resources =>
  Object.fromEntries(
    ofType(resources, "AWS::CloudWatch::Alarm")
      .filter(({ Properties }) => String(Properties.AlarmName).startsWith(`v1watch-${id}`))
      .map((resource) => [String(resource.Properties.AlarmName), resource]),
  );

type Kind = {
  alarms: string;
  found: Partial<Check>;
  metric: string;
  isBad(value: number): boolean;
  /** So many bad checks raise it, and this long after the last of them at the latest. */
  raisedBy: number;
  withinMs(config: Config): number;
  /** It may be raised so long after the first good check. */
  lateMs?(config: Config): number;
};
const atOnce = () => 2 * minuteMs;
const kinds: Record<string, Kind> = {
  "requests fail": {
    alarms: "request-failures-passport-list",
    found: { outcome: "failed" },
    metric: "RequestFailed passport-list",
    isBad: (value) => value === 1,
    raisedBy: 3,
    withinMs: atOnce,
  },
  "the key is refused": {
    alarms: "unauthorized-passport-list",
    found: { outcome: "401" },
    metric: "Unauthorized passport-list",
    isBad: (value) => value === 1,
    raisedBy: 3,
    withinMs: atOnce,
  },
  "responses break the document": {
    alarms: "breaking-drift-passport-list",
    found: { breaking: 2 },
    metric: "BreakingDrift passport-list",
    isBad: (value) => value > 0,
    raisedBy: 4,
    withinMs: (config) => tickMs(config) + 5 * minuteMs,
  },
  "V1 is slow": {
    alarms: "slow-passport-list",
    found: { latencyMs: 9_000 },
    metric: "LatencyMs passport-list",
    isBad: (value) => value > 3_000,
    raisedBy: 4,
    withinMs: (config) => tickMs(config) + 5 * minuteMs,
  },
  "the clocks differ": {
    alarms: "clocks-differ",
    found: { skewSeconds: 10_800 },
    metric: "ClockSkewSeconds",
    isBad: (value) => value > 300,
    // Of three endpoints, and every check of the period.
    raisedBy: 4,
    withinMs: (config) => durationMs(config.cadence.calm) + 2 * tickMs(config),
  },
  "an end is near": {
    alarms: "retirement-near",
    found: { daysToRetirement: 20 },
    metric: "DaysToRetirement",
    isBad: (value) => value < 30,
    // Of three endpoints.
    raisedBy: 4,
    // The rounds may be a tick nearer to each other than the period, which is a tick longer than the cadence.
    withinMs: (config) => 2 * tickMs(config) + 5 * minuteMs,
    // Not an outage but a date that is withdrawn at once: the endpoints say so one after the other.
    lateMs: (config) => durationMs(config.cadence.calm) + 2 * tickMs(config),
  },
};

const otherwise: Partial<Check> = { daysToRetirement: 200 };
const hour = 60;
/** Longer than any alarm looks back. */
const calmMinutes = 9 * hour;

/** An outage of a few minutes up to ten rounds of checks. */
function playOutage(seed: number, kind: Kind) {
  const chance = createChance(seed);
  const { cadence, config, alarms } = rhythms[Math.floor(chance() * rhythms.length)]!;
  const roundMinutes = durationMs(config.cadence.calm) / minuteMs;
  const from = calmMinutes + Math.floor(chance() * 2 * roundMinutes);
  const to = from + 1 + Math.floor(chance() * 10 * roundMinutes);
  const minutes = to + calmMinutes;
  const series = simulateChecks({
    days: minutes / 1_440,
    seed,
    config,
    check: (minute) => (minute >= from && minute < to ? kind.found : otherwise),
  });
  const samples = series.get(kind.metric) ?? [];
  const bad = samples.filter(({ value }) => kind.isBad(value)).map(({ atMs }) => atMs);
  const firstGoodMs =
    samples.find(({ atMs, value }) => atMs > (bad[0] ?? 0) && !kind.isBad(value))?.atMs ?? Infinity;
  const { changes } = playAlarms({
    resources: alarms(kind.alarms),
    series,
    startMs,
    minutes,
    fromMinute: hour,
  });
  const at = (wanted: string) =>
    changes.filter(({ state }) => state === wanted).map(({ minute }) => startMs + minute * minuteMs);
  const raised = at("ALARM");
  // The first state of all is told as well.
  const ended = at("OK").filter((atMs) => atMs > (bad[0] ?? Infinity));
  const story = `seed ${seed}, ${JSON.stringify(cadence)}, minutes ${from} to ${to}: ${JSON.stringify(changes)}`;
  return { config, bad, firstGoodMs, raised, ended, story };
}

describe.each(Object.entries(kinds))("%s", (_name, kind) => {
  test(`Of ${runs} random outages none has a second ALARM, an OK while every check is bad, or an ALARM after it`, () => {
    let alarms = 0;
    for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
      const { config, bad, firstGoodMs, raised, ended, story } = playOutage(seed, kind);
      expect(raised.length, story).toBeLessThanOrEqual(1);
      for (const atMs of ended) expect(atMs, story).toBeGreaterThan(firstGoodMs);
      for (const atMs of raised)
        expect(atMs, story).toBeLessThanOrEqual(firstGoodMs + (kind.lateMs?.(config) ?? 3 * minuteMs));
      alarms += raised.length;
      // What was bad for a round more is told, and in time.
      const [decisive, next] = bad.slice(kind.raisedBy - 1);
      if (decisive === undefined || next === undefined) continue;
      expect(raised, story).toHaveLength(1);
      expect(raised[0]! - decisive, story).toBeLessThanOrEqual(kind.withinMs(config));
      expect(ended, story).toHaveLength(1);
    }
    expect(alarms).toBeGreaterThan(runs / 4);
  });
});
