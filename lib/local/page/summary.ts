// The data of the page's first view, from the current state and the store's observation summaries.

import { subscriptionWarning } from "../../assess/alerts/scheduled-alerts.ts";
import { count, describeDuration } from "../../assess/alerts/text.ts";
import type { Settings } from "../../assess/assess.ts";
import { readJudged } from "../../assess/drift-history.ts";
import { readGapEvidence } from "../../assess/gap-evidence.ts";
import { alarmSettings, type Config, durationMs } from "../../config/config.ts";
import { drawShare } from "../../report/charts.ts";
import type { CurrentState } from "../current-state.ts";
import type { RangeName, ReadinessView, Summary } from "../server/api-schemas.ts";
import { effectChoices, type Simulation, scenarioChoices } from "../simulation.ts";
import type { Store } from "../store/store.ts";
import { findRange, readCards } from "./cards.ts";
import { readDrift } from "./drift.ts";
import { drawTimeline, readIncidents, readNotices } from "./incidents.ts";
import { readVerdict } from "./verdict.ts";

export type MonitorMode = Summary["mode"];

/** What the server builds its responses from. */
export type Sources = {
  config: Config;
  settings: Settings;
  store: Store;
  currentState: CurrentState;
  nowMs(): number;
  mode: MonitorMode;
  simulation?: Simulation;
  /** Resolves to undefined if the working directory has no mapping and no inventory. */
  readReadiness?(): Promise<ReadinessView | undefined>;
};

/** The summary is limited; /api/drift has all rows. */
const maxDriftRows = 60;
const maxResolvedIncidents = 20;
const maxSentAlerts = 20;

const toIso = (ms: number) => new Date(ms).toISOString();

export async function readBudget({
  config,
  store,
  currentState,
  nowMs,
}: Sources): Promise<Summary["budget"]> {
  const { monthlyRequests: monthly } = config.budget;
  const month = toIso(nowMs()).slice(0, 7);
  const spent = (await store.ledger.readProbeState())?.value.spent[month] ?? 0;
  const left = Math.max(0, monthly - spent);
  const text = `${count(left)} of ${count(monthly)} requests left this month`;
  const deferred = [...new Set((currentState.tick()?.deferred ?? []).map(({ reason }) => reason))].slice(
    0,
    3,
  );
  return { month, monthly, spent, left, text, deferred, drawing: drawShare(text, left, monthly) };
}

export async function readHealth({ store, currentState }: Sources): Promise<Summary["health"]> {
  const stored = store.health();
  const tick = currentState.tick();
  const why = stored.state === "DEGRADED" ? stored.why : tick?.degraded?.why;
  const subscriptions = subscriptionWarning(await store.ledger.subscriptionStatus().catch(() => undefined));
  const undelivered = await store.outbox.pending("alert", 100).catch(() => []);
  return {
    state: why === undefined ? "ok" : "DEGRADED",
    ...(why !== undefined && { why }),
    ...(stored.state === "DEGRADED" && { since: toIso(stored.sinceMs) }),
    ...(tick && { lastTickAt: toIso(tick.tickMs) }),
    undelivered: undelivered.length,
    ...(subscriptions !== undefined && { subscriptions }),
  };
}

/** Why the monitor counts as silent, or undefined while it runs on time. A last tick in the future counts as silent. */
export function readSilence({ currentState, nowMs }: Sources, silentAfterMs: number): string | undefined {
  const tick = currentState.tick();
  if (!tick) return undefined;
  const lateMs = nowMs() - Math.max(tick.tickMs, tick.nextTickMs);
  if (lateMs > silentAfterMs) return `the next tick is ${describeDuration(lateMs / 1_000)} overdue`;
  const aheadMs = tick.tickMs - nowMs();
  if (aheadMs <= silentAfterMs) return undefined;
  return `the last tick is ${describeDuration(aheadMs / 1_000)} in the future, because the clock was set back`;
}

export function readSimulation({ simulation }: Sources): Summary["simulation"] {
  return simulation && { ...simulation.read(), effects: effectChoices, scenarios: scenarioChoices };
}

export async function readSummary(sources: Sources, name: RangeName): Promise<Summary> {
  const { config, store, currentState, mode } = sources;
  const nowMs = sources.nowMs();
  const state = currentState.assessState();
  const tick = currentState.tick();
  const range = findRange(name, nowMs, store.history.firstMs());
  const drift = readDrift(state);
  const { open, resolved } = readIncidents(state, await store.ledger.decisions(), nowMs, config.baseUrl);
  const simulation = readSimulation(sources);
  const readiness = await sources.readReadiness?.();
  return {
    schema: "v1watch/summary/1",
    version: currentState.version(),
    now: toIso(nowMs),
    mode,
    baseUrl: config.baseUrl,
    every: describeDuration(durationMs(config.cadence.calm) / 1_000),
    ...(state.firstAt !== undefined && { firstAt: state.firstAt }),
    ...(tick && { lastTickAt: toIso(tick.tickMs), nextTickAt: toIso(tick.nextTickMs) }),
    observations: state.observations,
    range: name,
    health: await readHealth(sources),
    verdict: readVerdict(state, currentState.outlook(), nowMs),
    cards: readCards({
      history: store.history,
      state,
      range,
      settings: alarmSettings(config),
    }),
    timeline: drawTimeline(state, { fromMs: range.fromMs, untilMs: Math.min(range.untilMs, nowMs) }),
    incidents: { open, resolved: resolved.slice(0, maxResolvedIncidents) },
    drift: { rows: drift.slice(0, maxDriftRows), total: drift.length, ...readJudged(state.drift) },
    gaps: readGapEvidence(state.evidence),
    notices: readNotices(state),
    budget: await readBudget(sources),
    sentAlerts: store.history.sentAlerts(maxSentAlerts).map(({ alert }) => {
      const { id, at, event, severity, subject } = alert;
      return { id, at, event, severity, subject };
    }),
    ...(readiness && { readiness }),
    ...(simulation && { simulation }),
  };
}
