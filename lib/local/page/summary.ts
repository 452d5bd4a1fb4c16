// All that the page shows at first sight, made from what is true now and from the store's narrow rows.

import { count, describeDuration } from "../../assess/alerts/text.ts";
import type { Settings } from "../../assess/assess.ts";
import { readJudged } from "../../assess/drift-history.ts";
import { readGapEvidence } from "../../assess/gap-evidence.ts";
import { type Config, durationMs } from "../../config/config.ts";
import { drawShare } from "../../report/charts.ts";
import type { CurrentState } from "../current-state.ts";
import type { RangeName, ReadinessView, Summary } from "../server/api-schemas.ts";
import { effectChoices, type Simulation, scenarioChoices } from "../simulation.ts";
import type { Store } from "../store/store.ts";
import { findRange, readCards } from "./cards.ts";
import { readDrift } from "./drift.ts";
import { drawTimeline, readIncidents } from "./incidents.ts";
import { readNotices } from "./notices.ts";
import { readVerdict } from "./verdict.ts";

export type Mode = Summary["mode"];

/** What every answer of the server is made from. */
export type Sources = {
  config: Config;
  settings: Settings;
  store: Store;
  live: CurrentState;
  nowMs(): number;
  mode: Mode;
  simulation?: Simulation;
  /** Where a team keeps its migration's files; undefined where it keeps none. */
  readReadiness?(): Promise<ReadinessView | undefined>;
};

/** As many rows as a glance can take; /api/drift has all. */
const shownDrift = 60;
const shownResolved = 20;
const shownTold = 20;

const at = (ms: number) => new Date(ms).toISOString();

export async function readBudget({ config, store, live, nowMs }: Sources): Promise<Summary["budget"]> {
  const { monthlyRequests: monthly } = config.budget;
  const month = at(nowMs()).slice(0, 7);
  const spent = (await store.ledger.readProbeState())?.value.spent[month] ?? 0;
  const left = Math.max(0, monthly - spent);
  const text = `${count(left)} of ${count(monthly)} requests left this month`;
  const deferred = [...new Set((live.tick()?.deferred ?? []).map(({ reason }) => reason))].slice(0, 3);
  return { month, monthly, spent, left, text, deferred, drawing: drawShare(text, left, monthly) };
}

export async function readHealth({ store, live }: Sources): Promise<Summary["health"]> {
  const stored = store.health();
  const tick = live.tick();
  const why = stored.state === "DEGRADED" ? stored.why : tick?.degraded?.why;
  const undelivered = await store.outbox.pending("alert", 100).catch(() => []);
  return {
    state: why === undefined ? "ok" : "DEGRADED",
    ...(why !== undefined && { why }),
    ...(stored.state === "DEGRADED" && { since: at(stored.sinceMs) }),
    ...(tick && { lastTickAt: at(tick.tickMs) }),
    undelivered: undelivered.length,
  };
}

/** Why the watch counts as silent; undefined while it ticks. A tick from the future says nothing of the present. */
export function readSilence({ live, nowMs }: Sources, silentAfterMs: number): string | undefined {
  const tick = live.tick();
  if (!tick) return undefined;
  const lateMs = nowMs() - Math.max(tick.tickMs, tick.nextTickMs);
  if (lateMs > silentAfterMs) return `no tick for ${describeDuration(lateMs / 1_000)} beyond its time`;
  const aheadMs = tick.tickMs - nowMs();
  if (aheadMs <= silentAfterMs) return undefined;
  return `the last tick is ${describeDuration(aheadMs / 1_000)} ahead of the clock, which was set back`;
}

export function readSimulation({ simulation }: Sources): Summary["simulation"] {
  return simulation && { ...simulation.read(), effects: effectChoices, scenarios: scenarioChoices };
}

export async function readSummary(sources: Sources, name: RangeName): Promise<Summary> {
  const { config, settings, store, live, mode } = sources;
  const nowMs = sources.nowMs();
  const state = live.state();
  const tick = live.tick();
  const range = findRange(name, nowMs, store.history.firstMs());
  const frozenAfterSeconds = settings.frozenAfterMs / 1_000;
  const { monthlyRequests } = config.budget;
  const drift = readDrift(state);
  const { open, resolved } = readIncidents(state, await store.ledger.decisions(), nowMs);
  const simulation = readSimulation(sources);
  const readiness = await sources.readReadiness?.();
  return {
    schema: "v1watch/summary/1",
    version: live.version(),
    now: at(nowMs),
    mode,
    baseUrl: config.baseUrl,
    every: describeDuration(durationMs(config.cadence.calm) / 1_000),
    ...(state.firstAt !== undefined && { firstAt: state.firstAt }),
    ...(tick && { lastTickAt: at(tick.tickMs), nextTickAt: at(tick.nextTickMs) }),
    observations: state.observations,
    range: name,
    health: await readHealth(sources),
    verdict: readVerdict(state, live.outlook()),
    cards: readCards({ history: store.history, state, range, frozenAfterSeconds, monthlyRequests }),
    timeline: drawTimeline(state, { fromMs: range.fromMs, untilMs: Math.min(range.untilMs, nowMs) }),
    incidents: { open, resolved: resolved.slice(0, shownResolved) },
    drift: { rows: drift.slice(0, shownDrift), total: drift.length, ...readJudged(state.drift) },
    gaps: readGapEvidence(state.evidence),
    notices: readNotices(state),
    budget: await readBudget(sources),
    told: store.history.told(shownTold).map(({ alert: { id, at, event, severity, subject } }) => ({
      ...{ id, at, event, severity, subject },
    })),
    ...(readiness && { readiness }),
    ...(simulation && { simulation }),
  };
}
