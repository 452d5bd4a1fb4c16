// What the watch knows, and whether it can be trusted: a store that is absent, broken or silent is said,
// and never taken for good news.
import { readAssessment, type Settings } from "../assess/assess.ts";
import type { Outlook } from "../assess/outlook.ts";
import type { AssessState } from "../assess/state.ts";
import { count } from "../assess/words.ts";
import { assessmentSettings, printable } from "../config.ts";
import { openStore, type Store } from "../local/store.ts";
import type { Facts } from "../migration/readiness-facts.ts";
import type { Decision } from "../records/incident.ts";
import type { Io, Values } from "./command.ts";
import { loadConfig, unusable } from "./ledger.ts";

export type Watch = {
  state: AssessState;
  outlook: Outlook | undefined;
  decisions: readonly Decision[];
  settings: Settings;
  store: Store;
  proof: NonNullable<Facts["proof"]>;
};

export type Seen = { watch: Watch | undefined; monitor: { isHealthy: boolean; says: string } };

const blind = (says: string): Seen => ({ watch: undefined, monitor: { isHealthy: false, says } });

/** Alerts that were accepted on the other side; a drill is one of them. */
function findProof(store: Store): Watch["proof"] {
  const [last] = store.history.told(1);
  return last ? { atMs: Date.parse(last.alert.at), isDrill: last.alert.event === "drill" } : "none";
}

function judgeMonitor({ state, settings, store }: Watch, nowMs: number): Seen["monitor"] {
  const sick = (says: string) => ({ isHealthy: false, says });
  const health = store.health();
  if (health.state === "DEGRADED") return sick(`the store is DEGRADED: ${health.why}.`);
  if (state.cases["monitor/no-secret"]?.incident.state === "open")
    return sick("there is no key to ask V1 with.");
  const last = `${state.lastAt?.slice(0, 10)} ${state.lastAt?.slice(11, 16)} UTC`;
  const quietMs = nowMs - Date.parse(state.lastAt ?? "");
  if (!(quietMs <= settings.silentAfterMs)) return sick(`the watch has been silent since ${last}.`);
  const says = `${count(state.observations)} observations since ${state.firstAt?.slice(0, 10)}, the last at ${last}`;
  return { isHealthy: true, says };
}

export async function withWatch<T>(
  values: Values,
  io: Io,
  nowMs: number,
  work: (seen: Seen) => Promise<T>,
): Promise<T> {
  const config = await loadConfig(values, io);
  const opened = openStore(config.store, { mode: "read" });
  if (opened.kind !== "open") {
    const why =
      opened.kind === "absent"
        ? "it is not there. Start `v1watch up`, or name another with --store"
        : opened.kind === "unusable"
          ? (unusable[opened.why] ?? opened.why)
          : "it is in use";
    return work(blind(`the store ${printable(config.store)} cannot be read: ${why}.`));
  }
  const { store } = opened;
  try {
    const settings = assessmentSettings(config);
    const { state, outlook } = await readAssessment(store.ledger, settings, nowMs);
    if (state.observations === 0) return await work(blind("nothing has been observed yet."));
    const decisions = await store.ledger.decisions();
    const watch = { state, outlook, decisions, settings, store, proof: findProof(store) };
    return await work({ watch, monitor: judgeMonitor(watch, nowMs) });
  } finally {
    store.close();
  }
}
