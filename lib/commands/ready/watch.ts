// Reads the data of a watch and the health of its monitor. A missing, unreadable or silent store is reported as
// unhealthy, because missing data must not look like good data.

import { subscriptionWarning } from "../../assess/alerts/scheduled-alerts.ts";
import { readAssessment, type Settings } from "../../assess/assess.ts";
import type { Outlook } from "../../assess/outlook.ts";
import type { AssessState } from "../../assess/state.ts";
import { assessmentSettings } from "../../config/assessment-settings.ts";
import type { Config } from "../../config/config.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { countsTowardsHealth } from "../../local/store/history.ts";
import type { Store } from "../../local/store/store.ts";
import type { Ledger } from "../../ports.ts";
import type { Facts } from "../../readiness/facts.ts";
import type { Decision } from "../../records/incident.ts";
import type { Report } from "../../records/report.ts";
import { type HealthDays, readHealthDays, summarizeDays } from "../../report/health-days.ts";
import { formatCount } from "../../text.ts";
import type { Io, OptionValues } from "../command.ts";
import { loadConfigForReading, openSource, settingsOf, type WatchTable } from "../open-watch.ts";

export type WatchData = {
  state: AssessState;
  outlook: Outlook | undefined;
  decisions: readonly Decision[];
  settings: Settings;
  proof: NonNullable<Facts["proof"]>;
  /** One row per day and endpoint, up to and including `nowMs`. */
  readDays(fromMs: number, nowMs: number): Promise<HealthDays>;
};

export type WatchInspection = {
  watch: WatchData | undefined;
  monitor: Report["monitor"];
  /** V1's base URL. */
  address: string | undefined;
};

/** The operations that differ between a store on this machine and a table in AWS. */
type ReadableWatch = {
  ledger: Ledger;
  /** Why its data may be outdated; undefined if the source is healthy. */
  problem: string | undefined;
  proof(): Promise<WatchData["proof"]>;
  readDays: WatchData["readDays"];
};

const unavailable = (reason: string, address: string | undefined): WatchInspection => ({
  watch: undefined,
  monitor: { isHealthy: false, says: reason },
  address,
});

function storeSource(store: Store): ReadableWatch {
  const health = store.health();
  return {
    ledger: store.ledger,
    problem: health.state === "DEGRADED" ? `the store is DEGRADED: ${health.why}.` : undefined,
    proof: async () => store.outbox.lastProof(),
    // Reads the summaries of the observations: a year takes milliseconds, reading every observation seconds.
    async readDays(fromMs, nowMs) {
      const rows = endpointIds.map((endpoint) => {
        const checks = store.history.checks(endpoint, { fromMs, untilMs: nowMs + 1 });
        return [endpoint, summarizeDays(checks.filter(countsTowardsHealth))];
      });
      return Object.fromEntries(rows) as HealthDays;
    },
  };
}

const tableSource = ({ ledger, proof }: WatchTable): ReadableWatch => ({
  ledger,
  proof,
  problem: undefined,
  readDays: (fromMs, nowMs) => readHealthDays(ledger.observations(fromMs, nowMs + 1)),
});

function judgeMonitor(
  { state, settings }: WatchData,
  problem: string | undefined,
  nowMs: number,
): WatchInspection["monitor"] {
  const unhealthy = (reason: string) => ({ isHealthy: false, says: reason });
  if (problem !== undefined) return unhealthy(problem);
  if (state.incidents.some(({ rule, state: name }) => rule === "no-secret" && name === "firing"))
    return unhealthy("no API key for V1 is available.");
  const last = `${state.lastAt?.slice(0, 10)} ${state.lastAt?.slice(11, 16)} UTC`;
  const silentMs = nowMs - Date.parse(state.lastAt ?? "");
  if (!(silentMs <= settings.silentAfterMs)) return unhealthy(`no observations since ${last}.`);
  return {
    isHealthy: true,
    says: `${formatCount(state.observations)} observations since ${state.firstAt?.slice(0, 10)}, the last at ${last}`,
  };
}

async function inspectSource(
  source: ReadableWatch,
  settings: Settings,
  nowMs: number,
): Promise<WatchInspection> {
  const { ledger, problem } = source;
  const { state, outlook } = await readAssessment(ledger, settings, nowMs);
  if (state.observations === 0) return unavailable("no observations yet.", settings.baseUrl);
  const watch: WatchData = {
    state,
    outlook,
    settings,
    decisions: await ledger.decisions(),
    proof: await source.proof(),
    readDays: source.readDays,
  };
  const warning = subscriptionWarning(await ledger.subscriptionStatus());
  return {
    watch,
    monitor: { ...judgeMonitor(watch, problem, nowMs), warning },
    address: settings.baseUrl,
  };
}

/** The data of a store that is open already, as in `v1watch up`. */
export const inspectStore = (store: Store, config: Config, nowMs: number): Promise<WatchInspection> =>
  inspectSource(storeSource(store), assessmentSettings(config), nowMs);

/** Opens the watch, passes its data and the health of its monitor to `work`, and closes it. */
export async function inspectWatch<T>(
  values: OptionValues,
  io: Io,
  nowMs: number,
  work: (inspection: WatchInspection) => Promise<T>,
): Promise<T> {
  const config = await loadConfigForReading(values, io);
  return openSource(values, io, config, async (source) => {
    if (source.kind === "unavailable") return work(unavailable(`${source.reason}.`, config.baseUrl));
    const readable = source.kind === "table" ? tableSource(source.table) : storeSource(source.store);
    return work(await inspectSource(readable, await settingsOf(source, config), nowMs));
  });
}
