// A single cycle beside the watch: its cost is counted before it is made, and what it saw is kept where no
// running watch has the store.
import { existsSync } from "node:fs";
import { count } from "../../assess/alerts/text.ts";
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
import type { Observation, Variant } from "../../records/observation.ts";
import { emptyProbeState } from "../../records/probe-state.ts";

export type Cycle = {
  tickMs: number;
  observations: readonly Observation[];
  results: readonly RequestResult[];
  primary: Variant;
};

export type BookedCycle = {
  /** What the budget has left, in words; empty where nobody keeps the books. */
  record(cycle: Cycle): Promise<string>;
};

/** A person may always ask by hand: the budget counts it, and does not forbid it. */
export async function bookCycle(config: Config, atMs: number, requests: number): Promise<BookedCycle> {
  const month = monthOf(atMs);
  let reservation = 0;
  const bundledFiles = openStore(config.store, { mode: "read" });
  if (bundledFiles.kind === "open") {
    const { ledger, close } = bundledFiles.store;
    const booked = await updateProbeState(ledger, (probeState) => spend(probeState, month, requests)).catch(
      () => undefined,
    );
    if (booked?.kind === "written") reservation = requests;
    close();
  }
  return { record: (cycle) => recordCycle(config, cycle, { month, reservation }) };
}

async function recordCycle(
  config: Config,
  { tickMs, observations, results, primary }: Cycle,
  { month, reservation }: { month: string; reservation: number },
): Promise<string> {
  if (!existsSync(config.store)) return "";
  const owned = openStore(config.store, { mode: "own" });
  const opened = owned.kind === "owned" ? openStore(config.store, { mode: "read" }) : owned;
  if (opened.kind !== "open") return "";
  const { store } = opened;
  const isOurs = owned.kind === "open";
  try {
    if (isOurs) await recordTick(store, { tickMs, observations, primary });
    await updateProbeState(store.ledger, (probeState) => {
      const before = spend(probeState, month, -reservation);
      if (isOurs || results.length === 0) return applyResults(before, results, { tickMs, config });
      // The watch has not seen these answers, so its endpoints are as due as before.
      return remember(
        results.reduce((so, row) => spend(so, monthOf(row.atMs), row.requests), before),
        results,
      );
    });
    const probeState = (await store.ledger.readProbeState())?.value ?? emptyProbeState;
    const left = count(requestsLeft(tickMs, probeState, config));
    const note = isOurs ? "" : "; counted, not recorded: the running watch has the store";
    return ` (${left} of ${count(config.budget.monthlyRequests)} left this month${note})`;
  } finally {
    store.close();
  }
}
