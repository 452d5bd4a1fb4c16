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
import type { Facts } from "../../readiness/facts.ts";
import type { Decision } from "../../records/incident.ts";
import type { Report } from "../../records/report.ts";
import { type HealthDays, readHealthDays, summarizeDays } from "../../report/health-days.ts";
import { formatCount } from "../../text.ts";
import { momentText } from "../../time.ts";
import type { Io } from "../command.ts";
import { settingsOf, type Watch, watchOf, withWatch } from "../open-watch.ts";
import type { WatchValues } from "../shared-options.ts";

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

const unavailable = (reason: string, address: string | undefined): WatchInspection => ({
  watch: undefined,
  monitor: { isHealthy: false, says: reason },
  address,
});

/** The summaries of a store's observations take milliseconds for a year, reading every observation takes seconds. */
function readDays({ ledger, store }: Watch, fromMs: number, nowMs: number): Promise<HealthDays> {
  if (!store) return readHealthDays(ledger.observations(fromMs, nowMs + 1));
  const rows = endpointIds.map((endpoint) => {
    const checks = store.history.checks(endpoint, { fromMs, untilMs: nowMs + 1 });
    return [endpoint, summarizeDays(checks.filter(countsTowardsHealth))];
  });
  return Promise.resolve(Object.fromEntries(rows));
}

function judgeMonitor(
  { store }: Watch,
  { state, settings }: WatchData,
  nowMs: number,
): WatchInspection["monitor"] {
  const unhealthy = (reason: string) => ({ isHealthy: false, says: reason });
  const health = store?.health();
  if (health?.state === "DEGRADED") return unhealthy(`the store is DEGRADED: ${health.why}.`);
  if (state.incidents.some(({ rule, state: name }) => rule === "no-secret" && name === "firing"))
    return unhealthy("no API key for V1 is available.");
  const last = momentText(state.lastAt ?? "");
  const silentMs = nowMs - Date.parse(state.lastAt ?? "");
  if (!(silentMs <= settings.silentAfterMs)) return unhealthy(`no observations since ${last}.`);
  return {
    isHealthy: true,
    says: `${formatCount(state.observations)} observations since ${state.firstAt?.slice(0, 10)}, the last at ${last}`,
  };
}

async function inspect(source: Watch, settings: Settings, nowMs: number): Promise<WatchInspection> {
  const { ledger } = source;
  const { state, outlook } = await readAssessment(ledger, settings, nowMs);
  if (state.observations === 0) return unavailable("no observations yet.", settings.baseUrl);
  const watch: WatchData = {
    state,
    outlook,
    settings,
    decisions: await ledger.decisions(),
    proof: await source.proof(),
    readDays: (fromMs, untilMs) => readDays(source, fromMs, untilMs),
  };
  const warning = subscriptionWarning(await ledger.subscriptionStatus());
  return {
    watch,
    monitor: { ...judgeMonitor(source, watch, nowMs), warning },
    address: settings.baseUrl,
  };
}

/** The data of a store that is open already, as in `v1watch up`. */
export const inspectStore = (store: Store, config: Config, nowMs: number): Promise<WatchInspection> =>
  inspect(watchOf(store, config.store), assessmentSettings(config), nowMs);

/** Opens the watch, passes its data and the health of its monitor to `work`, and closes it. */
export const inspectWatch = <T>(
  values: WatchValues,
  io: Io,
  nowMs: number,
  work: (inspection: WatchInspection) => Promise<T>,
): Promise<T> =>
  withWatch(
    values,
    io,
    async (source, config) => work(await inspect(source, await settingsOf(source, config), nowMs)),
    (reason, { baseUrl }) => work(unavailable(`${reason}.`, baseUrl)),
  );
