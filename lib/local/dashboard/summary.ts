// The data of the dashboard's first view, from the current state and the store's observation summaries.

import type { Settings } from "../../assess/assess.ts";
import { describeQuiet } from "../../assess/decisions.ts";
import { describeDrift, presentRows, readJudged } from "../../assess/drift-history.ts";
import { describeGaps, readGapEvidence } from "../../assess/gap-evidence.ts";
import type { Outlook } from "../../assess/outlook.ts";
import { titleOf } from "../../assess/text/render-alert.ts";
import { describeUnreadable, subscriptionWarning } from "../../assess/text/scheduled-alerts.ts";
import { exitCodeOf, severityOf } from "../../assess/verdict.ts";
import { alarmSettings } from "../../config/assessment-settings.ts";
import { type Config, durationMs } from "../../config/config.ts";
import { variants } from "../../records/observation.ts";
import { formatCount } from "../../text.ts";
import { describeDuration } from "../../time.ts";
import type { CurrentState } from "../current-state.ts";
import type { ChannelView, ReadinessView, Summary, Tone, Verdict } from "../server/api-schemas.ts";
import type { Simulation } from "../simulation.ts";
import type { Store } from "../store/store.ts";
import { notStored } from "../watch.ts";
import { readCards } from "./cards.ts";
import { readIncidents } from "./incidents.ts";
import { readNotices } from "./notices.ts";
import type { Range } from "./series.ts";

export type MonitorMode = Summary["mode"];

/** What the server builds its responses from. What the configuration decides is read for each of them: a reload replaces it. */
export type Sources = {
  config: Config;
  settings: Settings;
  store: Store;
  currentState: CurrentState;
  nowMs(): number;
  mode: MonitorMode;
  channels: readonly { name: string; type: string }[];
  /** Why a configuration was refused after the start; undefined while the latest one is in force. */
  configurationProblem?: (() => string | undefined) | undefined;
  /** Why the service elsewhere does not accept the heartbeat; undefined while it does. */
  heartbeatProblem?: (() => string | undefined) | undefined;
  simulation?: Simulation | undefined;
  /** Resolves to undefined if the working directory has no mapping and no inventory. */
  readReadiness?: (() => Promise<ReadinessView | undefined>) | undefined;
  /** The report of now as an HTML document. */
  renderReport?: (() => Promise<string>) | undefined;
};

const toIso = (ms: number) => new Date(ms).toISOString();

async function readBudget({ config, store, currentState, nowMs }: Sources): Promise<Summary["budget"]> {
  const { monthlyRequests: monthly } = config.budget;
  const month = toIso(nowMs()).slice(0, 7);
  const spent = (await store.ledger.readProbeState())?.value.spent[month] ?? 0;
  const left = Math.max(0, monthly - spent);
  const text = `${formatCount(left)} of ${formatCount(monthly)} requests left this month`;
  const deferred = [...new Set(currentState.tick()?.deferred)].slice(0, 3);
  return { month, monthly, spent, left, text, deferred };
}

/** The channels in the order of the configuration, each with what it accepted and what it did not. */
async function readChannels({ channels, store }: Sources): Promise<ChannelView[]> {
  return Promise.all(
    channels.map(async ({ name, type }) => {
      const { failing, setAside, ...status } = await store.outbox.status({ name });
      const state = failing ? "failing" : status.deliveredAt === undefined ? "unproven" : "ok";
      return { name, type, state, ...status, ...failing, setAside };
    }),
  );
}

export async function readHealth(sources: Sources): Promise<Summary["health"]> {
  const { store, currentState } = sources;
  const stored = store.health();
  const tick = currentState.tick();
  const failure = stored.state === "DEGRADED" ? { what: notStored, why: stored.why } : tick?.degraded;
  const why = failure && `${failure.what} (${failure.why})`;
  const decisions = await store.ledger.decisions();
  const unreadable = store.unreadable();
  const clock = currentState.clockProblem();
  const subscriptions = subscriptionWarning(await store.ledger.subscriptionStatus().catch(() => undefined));
  return {
    state: why === undefined ? "ok" : "DEGRADED",
    why,
    since: stored.state === "DEGRADED" ? toIso(stored.sinceMs) : undefined,
    lastTickAt: tick ? toIso(tick.tickMs) : undefined,
    undelivered: (await store.outbox.undelivered()).count,
    channels: await readChannels(sources),
    subscriptions,
    maintenance: describeQuiet(sources.config.maintenance, decisions, sources.nowMs()),
    unreadable: unreadable.count > 0 ? describeUnreadable(unreadable) : undefined,
    clock,
    heartbeat: sources.heartbeatProblem?.(),
    configuration: sources.configurationProblem?.(),
  };
}

/** Why the watch loop counts as stuck, or undefined while it runs on time. A last tick in the future counts as stuck. */
export function readStuckLoop({ settings, currentState, nowMs }: Sources): string | undefined {
  const { silentAfterMs } = settings;
  const tick = currentState.tick();
  if (!tick) return undefined;
  const lateMs = nowMs() - Math.max(tick.tickMs, tick.nextTickMs);
  if (lateMs > silentAfterMs) return `the next tick is ${describeDuration(lateMs / 1_000)} overdue`;
  const aheadMs = tick.tickMs - nowMs();
  if (aheadMs <= silentAfterMs) return undefined;
  return `the last tick is ${describeDuration(aheadMs / 1_000)} in the future, because the clock was set back`;
}

const levelTones: Record<Verdict["level"], Tone> = {
  unknown: "unknown",
  low: "ok",
  elevated: "info",
  high: "warning",
  imminent: "warning",
  retired: "critical",
};

const severityTones = { page: "critical", warning: "warning", info: "info", unknown: "unknown" } as const;

/** The assessment's own verdict and retirement risk, with the tones of the dashboard. */
export function viewVerdict(currentState: Pick<CurrentState, "verdict" | "outlook">, nowMs: number): Verdict {
  const verdict = currentState.verdict(nowMs);
  const { kind, headline: sentence, unconfirmed, incident, badge } = verdict;
  const severity = severityOf(verdict);
  const fault = incident ?? unconfirmed[0];
  const { level, headline, date, dateText, dateSource, daysLeft, reasons, next } =
    currentState.outlook() ?? unknownOutlook;
  const calmTone = unconfirmed.length > 0 ? "warning" : levelTones[level];
  return {
    kind,
    sentence,
    badge,
    exitCode: exitCodeOf(verdict),
    level,
    tone: severity === "ok" ? calmTone : severityTones[severity],
    trouble: fault ? `${titleOf(fault)}${incident ? "" : " (not confirmed yet)"}` : undefined,
    incident: incident?.id,
    checks: verdict.checks.map(({ endpoint, sentMs, servedMs }) => ({
      endpoint,
      checkedAt: sentMs === undefined ? undefined : toIso(sentMs),
      servedAt: servedMs === undefined ? undefined : toIso(servedMs),
    })),
    headline,
    date,
    dateText,
    dateSource,
    daysLeft,
    reasons,
    next: next?.text,
  };
}

/** Before the first assessment. */
const unknownOutlook: Outlook = {
  level: "unknown",
  headline: "The risk is unknown: nothing was assessed yet.",
  reasons: [],
};

export async function readSummary(sources: Sources, range: Range): Promise<Summary> {
  const { config, store, currentState, mode } = sources;
  const nowMs = sources.nowMs();
  const state = currentState.assessState();
  const tick = currentState.tick();
  const simulation = sources.simulation?.read();
  const readiness = await sources.readReadiness?.();
  return {
    schema: "v1watch/summary/1",
    version: currentState.version(),
    now: toIso(nowMs),
    mode,
    baseUrl: config.baseUrl,
    every: describeDuration(durationMs(config.cadence.calm) / 1_000),
    lastTickAt: tick ? toIso(tick.tickMs) : undefined,
    observations: state.observations,
    health: await readHealth(sources),
    verdict: viewVerdict(currentState, nowMs),
    cards: await readCards({
      history: store.history,
      state,
      range,
      settings: alarmSettings(config),
      checks: currentState.verdict(nowMs).checks,
    }),
    firing: readIncidents(state, await store.ledger.decisions(), nowMs, sources.settings).open,
    drift: {
      total: Object.keys(state.drift.rows).length,
      breaking: presentRows(state, "breaking").length,
      text: describeDrift(
        Object.values(state.drift.rows).map(({ finding }) => finding.level),
        readJudged(state.drift),
      ),
    },
    deprecationHeaders: readNotices(state).current.length,
    gaps: { text: describeGaps(readGapEvidence(state.evidence)) },
    variants: [...variants],
    budget: await readBudget(sources),
    hasReport: sources.renderReport !== undefined,
    readiness,
    simulation,
  };
}
