// Kinds of clock jump, each played on a store with 12 days of observations: ticks at the right time, ticks with the wrong
// clock, and ticks after the clock was set right. V1 fails from the jump on, with one endpoint or without any answer, or it
// is V1's own clock that is wrong.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assess } from "../../../lib/assess/assess.ts";
import { assessmentSettings } from "../../../lib/config/assessment-settings.ts";
import type { Config } from "../../../lib/config/config.ts";
import { startMonitor } from "../../../lib/local/monitor.ts";
import { configForSimulator, simulatorKey, startSimulation } from "../../../lib/local/simulation.ts";
import { createSteadyClock } from "../../../lib/local/steady-clock.ts";
import { openStore, type Store } from "../../../lib/local/store/store.ts";
import type { Alert } from "../../../lib/records/alert.ts";
import { acceptedByReceiver } from "../../../lib/records/receipt.ts";
import { dayMs, hourMs, minuteMs } from "../../assess/observation-builder.ts";
import { sampleObservation, startMs } from "../samples.ts";

const days = 12;
const rowsPerDay = 144;
/** The true time at the first tick. */
const trueStartMs = startMs + days * dayMs;
/** Longer than the store has observations, so that a right clock deletes nothing. */
const observationDays = 20;

export type Jump = {
  name: string;
  /** What the clock shows during the wrong ticks, by the true time. */
  wrongMs(trueMs: number, tick: number): number;
  /** The process starts with the wrong clock. */
  isAtStart?: true;
  /** V1 gives no answer with a Date header, from the jump on. */
  isV1Silent?: true;
  /** By how much V1's Date header is wrong during the wrong ticks. */
  v1SkewMs?: number;
  isInTests?: true;
};

const shift =
  (ms: number): Jump["wrongMs"] =>
  (trueMs) =>
    trueMs + ms;

const year = 365 * dayMs;
const at = (text: string) => Date.parse(text);

export const jumps: readonly Jump[] = [
  { name: "2 minutes ahead", isInTests: true, wrongMs: shift(2 * minuteMs) },
  { name: "an hour ahead (a time zone)", wrongMs: shift(hourMs) },
  { name: "an hour back (a time zone)", wrongMs: shift(-hourMs) },
  { name: "a day ahead", wrongMs: shift(dayMs) },
  { name: "a day back", wrongMs: shift(-dayMs) },
  { name: "30 days ahead", wrongMs: shift(30 * dayMs) },
  { name: "30 days back", wrongMs: shift(-30 * dayMs) },
  { name: "2 years ahead", isInTests: true, wrongMs: shift(2 * year) },
  { name: "2 years back", wrongMs: shift(-2 * year) },
  { name: "the year 1970", isInTests: true, wrongMs: (trueMs) => trueMs - trueStartMs + 1_000 },
  { name: "the year 2038", wrongMs: shift(at("2038-01-19T03:14:08Z") - trueStartMs) },
  { name: "the year 2100", wrongMs: shift(at("2100-01-01T00:00:00Z") - trueStartMs) },
  { name: "a clock that stands still", wrongMs: () => trueStartMs + 10 * minuteMs },
  { name: "a clock ten times as fast", wrongMs: (trueMs) => trueStartMs + 10 * (trueMs - trueStartMs) },
  {
    name: "ahead and back with every tick",
    wrongMs: (trueMs, tick) => trueMs + (tick % 2 === 0 ? 1 : -1) * 90 * dayMs,
  },
  { name: "a day further with every tick", wrongMs: (trueMs, tick) => trueMs + tick * dayMs },
  { name: "2 years ahead while V1 is silent", wrongMs: shift(2 * year), isV1Silent: true },
  { name: "a year back while V1 is silent", wrongMs: shift(-year), isV1Silent: true },
  { name: "a start 2 years ahead", isInTests: true, wrongMs: shift(2 * year), isAtStart: true },
  {
    name: "a start in 1970",
    isInTests: true,
    wrongMs: (trueMs) => trueMs - trueStartMs + 1_000,
    isAtStart: true,
  },
  {
    name: "a start a day back while V1 is silent",
    wrongMs: shift(-dayMs),
    isAtStart: true,
    isV1Silent: true,
  },
  {
    name: "a start a year ahead while V1 is silent",
    wrongMs: shift(year),
    isAtStart: true,
    isV1Silent: true,
  },
  { name: "V1's clock 30 days behind", isInTests: true, wrongMs: shift(0), v1SkewMs: -30 * dayMs },
  { name: "a start with V1's clock in 1970", wrongMs: shift(0), v1SkewMs: -trueStartMs, isAtStart: true },
];

/** Beside the first report of V1's fault, the daily digest and the end of what was announced, which needs nobody. */
export const listJumpAlerts = ({ alerts }: Pick<JumpResult, "alerts">): Alert[] => {
  const fault = alerts.find(isFaultReport);
  return alerts.filter((alert) => alert !== fault && alert.event !== "digest" && alert.event !== "resolved");
};

const isFaultReport = ({ rule, event }: Alert) => rule === "down" && event === "opened";

export type JumpResult = {
  name: string;
  /** Observations that were in the store or were made, and are not there any more. */
  lost: number;
  made: number;
  /** Not stored, because they were made with a clock that is behind the store. */
  heldBack: number;
  alerts: Alert[];
  isFaultReported: boolean;
  clockProblem: string | undefined;
};

const configOf = (baseUrl: string, path: string): Config => {
  const config = configForSimulator(baseUrl, 60, path);
  // The simulator's data moves by its own clock.
  return {
    ...config,
    retention: { observationDays },
    staleness: { ...config.staleness, frozenAfter: "30d" },
  };
};

/** Plays the jumps one after the other on copies of one store. */
export async function playJumps(wanted: readonly Jump[] = jumps): Promise<JumpResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "v1watch-clock-"));
  try {
    const template = join(folder, "template.db");
    await createTemplate(template);
    const results: JumpResult[] = [];
    for (const [index, jump] of wanted.entries()) {
      const path = join(folder, `${index}.db`);
      for (const suffix of ["", ".owner"]) cpSync(template + suffix, path + suffix);
      results.push(await playJump(path, jump));
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function open(path: string, nowMs: () => number): Store {
  const opened = openStore(path, { mode: "own", nowMs });
  if (opened.kind !== "open") throw new Error(opened.kind);
  return opened.store;
}

/** The first day was deleted, as in a store that has been in use for longer than it keeps observations. */
async function createTemplate(path: string): Promise<void> {
  const store = open(path, () => trueStartMs);
  for (let number = 0; number < days * rowsPerDay; number += 3) {
    const tick = [0, 1, 2].map((index) => sampleObservation(number + index));
    await Promise.all(tick.map((observation) => store.ledger.append(observation)));
  }
  const config = configOf("http://127.0.0.1:1", path);
  const ports = { ledger: store.ledger, outbox: store.outbox, receivers: [], nowMs: () => trueStartMs };
  await assess({ ...ports, readKey: async () => ({ kind: "none" }) }, assessmentSettings(config));
  store.prune(startMs + 1.5 * dayMs);
  store.checkClock(trueStartMs, 0);
  store.close();
}

async function playJump(path: string, jump: Jump): Promise<JumpResult> {
  let [trueMs, tick] = [trueStartMs, 0];
  let isWrong = jump.isAtStart === true;
  const nowMs = () => (isWrong ? jump.wrongMs(trueMs, tick) : trueMs);
  const simulation = await startSimulation({
    passports: 60,
    clock: { now: () => trueMs + (isWrong ? (jump.v1SkewMs ?? 0) : 0) },
  });
  const config = configOf(simulation.simulator.url, path);
  const store = open(path, nowMs);
  const expected = new Set<string>();
  for await (const { id } of store.ledger.observations(0, 1e15)) expected.add(id);
  const alerts: Alert[] = [];
  const monitor = await startMonitor({
    config,
    store,
    simulation,
    allowLoopback: true,
    mode: "simulator",
    clock: createSteadyClock({ wallMs: nowMs, uptimeMs: () => trueMs }),
    signal: new AbortController().signal,
    readKey: async () => ({ kind: "key", key: simulatorKey }),
    channels: [
      {
        name: "test",
        type: "console",
        reachesPeople: true,
        async send(alert) {
          alerts.push(alert);
          return acceptedByReceiver();
        },
      },
    ],
    onTick: () => {},
  });
  let [made, heldBack] = [0, 0];
  let clockProblem: string | undefined;
  const run = async (ticks: number) => {
    for (tick = 0; tick < ticks; tick += 1) {
      const { observations, degraded } = await monitor.once();
      made += observations.length;
      if (degraded) heldBack += observations.length;
      else for (const { id } of observations) expected.add(id);
      clockProblem ??= monitor.currentState.clockProblem();
      trueMs += minuteMs;
    }
  };
  if (!isWrong) await run(2);
  isWrong = true;
  if (jump.isV1Silent) simulation.inject("reset", undefined);
  else simulation.inject("status", "passport-credentials");
  await run(5);
  isWrong = false;
  await run(5);
  await monitor.close();
  await simulation.simulator.close();
  const after = open(path, () => trueMs);
  for await (const { id } of after.ledger.observations(0, 1e15)) expected.delete(id);
  after.close();
  return {
    name: jump.name,
    lost: expected.size,
    made,
    heldBack,
    alerts,
    isFaultReported: alerts.some(isFaultReport),
    clockProblem,
  };
}
