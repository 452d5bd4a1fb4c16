// Reads the data of a watch and the health of its monitor. A missing, unreadable or silent store is reported as
// unhealthy, because missing data must not look like good data.

import { readAssessment, type Settings } from "../../assess/assess.ts";
import type { Outlook } from "../../assess/outlook.ts";
import type { AssessState } from "../../assess/state.ts";
import { subscriptionWarning } from "../../assess/text/scheduled-alerts.ts";
import { readVerdict, type Schedule } from "../../assess/verdict.ts";
import { assessmentSettings } from "../../config/assessment-settings.ts";
import type { Config } from "../../config/config.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { countsTowardsHealth } from "../../local/store/history.ts";
import type { Store } from "../../local/store/store.ts";
import type { Facts } from "../../readiness/facts.ts";
import type { Decision } from "../../records/incident.ts";
import type { Report } from "../../records/report.ts";
import { type HealthDays, readHealthDays, summarizeDays } from "../../report/health-days.ts";
import { describeMonitor, type JudgedInput } from "../../report/model.ts";
import type { Io } from "../command.ts";
import { settingsOf, type Watch, watchOf, withWatch } from "../open-watch.ts";
import type { TeamValues, WatchValues } from "../shared-options.ts";
import { readTeamInput } from "./files.ts";

export type WatchData = {
  state: AssessState;
  outlook: Outlook | undefined;
  schedule: Schedule;
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

async function inspect(source: Watch, settings: Settings, nowMs: number): Promise<WatchInspection> {
  const { ledger } = source;
  const known = await readAssessment(ledger, settings, nowMs);
  const { state } = known;
  if (state.observations === 0) return unavailable("no observations yet.", settings.baseUrl);
  const watch: WatchData = {
    ...known,
    settings,
    decisions: await ledger.decisions(),
    proof: await source.proof(),
    readDays: (fromMs, untilMs) => readDays(source, fromMs, untilMs),
  };
  const warning = subscriptionWarning(await ledger.subscriptionStatus());
  const health = source.store?.health();
  const monitor =
    health?.state === "DEGRADED"
      ? { isHealthy: false, says: `the store is DEGRADED: ${health.why}.` }
      : describeMonitor(readVerdict({ ...known, nowMs }), state);
  return {
    watch,
    monitor: { ...monitor, warning },
    address: settings.baseUrl,
  };
}

/** What `ready` and `report` judge: the team's files and the watch, as of an instant. */
export async function readJudgedInput(
  { watch, address }: WatchInspection,
  values: TeamValues,
  nowMs: number,
): Promise<JudgedInput & { watch: WatchData | undefined }> {
  return { facts: { nowMs, ...(await readTeamInput(values, nowMs)), proof: watch?.proof }, watch, address };
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
