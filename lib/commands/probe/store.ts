// Counts a manual probe cycle in the budget of the watch before it runs, and records its observations unless a running
// watch owns the store.

import { existsSync } from "node:fs";
import { recordTick } from "../../assess/record-tick.ts";
import type { Config } from "../../config/config.ts";
import { openStore } from "../../local/store/store.ts";
import { monthOf, requestsLeft } from "../../probe/schedule/budget.ts";
import {
  applyResults,
  type RequestResult,
  remember,
  spend,
  updateProbeState,
} from "../../probe/schedule/probe-state.ts";
import type { Observation } from "../../records/observation.ts";
import { emptyProbeState } from "../../records/probe-state.ts";
import { formatCount } from "../../text.ts";

type CycleRecord = {
  tickMs: number;
  observations: readonly Observation[];
  results: readonly RequestResult[];
};

export type CycleReservation = {
  /** Returns a text with the remaining budget; empty if no watch counts the requests. */
  record(cycle: CycleRecord): Promise<string>;
};

/** A manual probe is counted in the budget but never rejected by it. */
export async function reserveCycle(
  config: Config,
  atMs: number,
  requests: number,
): Promise<CycleReservation> {
  const month = monthOf(atMs);
  let reserved = 0;
  const opened = openStore(config.store, { mode: "read" });
  if (opened.kind === "open") {
    const { ledger, close } = opened.store;
    const update = await updateProbeState(ledger, (probeState) => spend(probeState, month, requests)).catch(
      () => undefined,
    );
    if (update?.kind === "written") reserved = requests;
    close();
  }
  return { record: (cycle) => recordCycle(config, cycle, { month, reserved }) };
}

async function recordCycle(
  config: Config,
  { tickMs, observations, results }: CycleRecord,
  { month, reserved }: { month: string; reserved: number },
): Promise<string> {
  if (!existsSync(config.store)) return "";
  const owned = openStore(config.store, { mode: "own" });
  const opened = owned.kind === "owned" ? openStore(config.store, { mode: "read" }) : owned;
  if (opened.kind !== "open") return "";
  const { store } = opened;
  const isOwner = owned.kind === "open";
  try {
    if (isOwner) await recordTick(store, observations);
    await updateProbeState(store.ledger, (probeState) => {
      const released = spend(probeState, month, -reserved);
      if (isOwner || results.length === 0) return applyResults(released, results, { tickMs, config });
      // The running watch does not get these observations, so its next checks stay due at the same time.
      return remember(
        results.reduce((state, row) => spend(state, monthOf(row.atMs), row.requests), released),
        results,
      );
    });
    const probeState = (await store.ledger.readProbeState())?.value ?? emptyProbeState;
    const left = formatCount(requestsLeft(tickMs, probeState, config));
    const note = isOwner ? "" : "; counted but not recorded, because a running watch owns the store";
    return ` (${left} of ${formatCount(config.budget.monthlyRequests)} left this month${note})`;
  } finally {
    store.close();
  }
}
