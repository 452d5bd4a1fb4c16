// What the watch knows, and whether it can be trusted: a store that is absent, broken or silent is said,
// and never taken for good news.

import { count } from "../../assess/alerts/text.ts";
import { readAssessment, type Settings } from "../../assess/assess.ts";
import { dayMs, dayText } from "../../assess/date-text.ts";
import type { Outlook } from "../../assess/outlook/outlook.ts";
import { primaryVariant } from "../../assess/rules/response-class.ts";
import type { AssessState } from "../../assess/state.ts";
import { assessmentSettings, type Config, printable } from "../../config/config.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import type { Bucket } from "../../local/store/history.ts";
import { findLastSentAlert, openStore, type Store } from "../../local/store/store.ts";
import type { Ledger } from "../../ports.ts";
import type { Facts } from "../../readiness/facts.ts";
import type { Decision } from "../../records/incident.ts";
import type { Variant } from "../../records/observation.ts";
import type { HealthDay } from "../../records/report.ts";
import { type HealthDays, readHealthDays } from "../../report/health-days.ts";
import type { Io, Values } from "../command.ts";
import { explainClosed, loadConfig, nameTable, openTable, readTable, type Table } from "../open-watch.ts";

export type Watch = {
  state: AssessState;
  outlook: Outlook | undefined;
  decisions: readonly Decision[];
  settings: Settings;
  proof: NonNullable<Facts["proof"]>;
  /** A row for each day and endpoint, up to and with `nowMs`. */
  readDays(fromMs: number, nowMs: number): Promise<HealthDays>;
};

export type Seen = { watch: Watch | undefined; monitor: { isHealthy: boolean; says: string } };

/** What differs between a store on this machine and a table in AWS. */
type Source = {
  ledger: Ledger;
  /** Why what it says may be old; undefined where it is well. */
  ailment: string | undefined;
  proof(): Promise<Watch["proof"]>;
  readDays(asked: Variant, fromMs: number, nowMs: number): Promise<HealthDays>;
};

const blind = (says: string): Seen => ({ watch: undefined, monitor: { isHealthy: false, says } });

function watchStore(store: Store): Source {
  const health = store.health();
  return {
    ledger: store.ledger,
    ailment: health.state === "DEGRADED" ? `the store is DEGRADED: ${health.why}.` : undefined,
    proof: async () => findLastSentAlert(store),
    // The store's narrow rows: a year in milliseconds, where reading every observation takes seconds.
    async readDays(asked, fromMs, nowMs) {
      const rows = endpointIds.map((endpoint) => {
        const { buckets } = store.history.buckets(endpoint, asked, { fromMs, untilMs: nowMs + 1 }, dayMs);
        return [endpoint, buckets.map((bucket) => dayOf(bucket, fromMs))];
      });
      return Object.fromEntries(rows) as HealthDays;
    },
  };
}

const dayOf = (
  { index, responses, ok, unauthorized, p95Ms, newestAgeSeconds }: Bucket,
  fromMs: number,
): HealthDay => ({
  day: dayText(fromMs + index * dayMs),
  ...{ answers: responses, ok, unauthorized, p95Ms, newestAgeSeconds },
});

const watchTable = ({ ledger, proof }: Table): Source => ({
  ...{ ledger, proof, ailment: undefined },
  readDays: (asked, fromMs, nowMs) => readHealthDays(ledger.observations(fromMs, nowMs + 1), asked),
});

function judgeMonitor(
  { state, settings }: Watch,
  ailment: string | undefined,
  nowMs: number,
): Seen["monitor"] {
  const sick = (says: string) => ({ isHealthy: false, says });
  if (ailment !== undefined) return sick(ailment);
  if (state.incidents["monitor/no-secret"]?.incident.state === "open")
    return sick("there is no key to ask V1 with.");
  const last = `${state.lastAt?.slice(0, 10)} ${state.lastAt?.slice(11, 16)} UTC`;
  const quietMs = nowMs - Date.parse(state.lastAt ?? "");
  if (!(quietMs <= settings.silentAfterMs)) return sick(`the watch has been silent since ${last}.`);
  const says = `${count(state.observations)} observations since ${state.firstAt?.slice(0, 10)}, the last at ${last}`;
  return { isHealthy: true, says };
}

async function see(source: Source, config: Config, nowMs: number): Promise<Seen> {
  const { ledger, ailment } = source;
  const settings = assessmentSettings(config);
  const { state, outlook } = await readAssessment(ledger, settings, nowMs);
  if (state.observations === 0) return blind("nothing has been observed yet.");
  const asked = primaryVariant(state.availability.primary);
  const watch: Watch = {
    ...{ state, outlook, settings, decisions: await ledger.decisions(), proof: await source.proof() },
    readDays: (fromMs, untilMs) => source.readDays(asked, fromMs, untilMs),
  };
  return { watch, monitor: judgeMonitor(watch, ailment, nowMs) };
}

export async function withWatch<T>(
  values: Values,
  io: Io,
  nowMs: number,
  work: (seen: Seen) => Promise<T>,
): Promise<T> {
  const config = await loadConfig(values, io);
  const tableName = nameTable(values, io.env);
  if (tableName !== undefined) {
    const source = watchTable(await openTable(tableName, config));
    return readTable(tableName, async () => work(await see(source, config, nowMs)));
  }
  const opened = openStore(config.store, { mode: "read" });
  if (opened.kind !== "open")
    return work(blind(`the store ${printable(config.store)} cannot be read: ${explainClosed(opened)}.`));
  const { store } = opened;
  try {
    return await work(await see(watchStore(store), config, nowMs));
  } finally {
    store.close();
  }
}
