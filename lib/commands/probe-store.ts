// A single cycle beside the watch: what it saw is kept where a store already is, and its cost is counted.
import { existsSync } from "node:fs";
import { recordTick } from "../assess/record.ts";
import { count } from "../assess/words.ts";
import type { Config } from "../config.ts";
import { openStore, type Store } from "../local/store.ts";
import { requestsLeft } from "../probe/allowance.ts";
import { type Done, settle } from "../probe/settle.ts";
import { freshPace } from "../records/fresh-pace.ts";
import type { Case, Observation } from "../records/observation.ts";

export type Cycle = {
  tickMs: number;
  observations: readonly Observation[];
  done: readonly Done[];
  leading: Case;
};

async function keep(store: Store, { tickMs, observations, done, leading }: Cycle): Promise<void> {
  await recordTick(store, { tickMs, observations, leading });
  const known = await store.ledger.readPace();
  await store.ledger.writePace(settle(known?.value ?? freshPace, done), known?.version ?? 0);
}

/** What the budget has left, in words; empty where nobody keeps the books. */
export async function recordCycle(config: Config, cycle: Cycle): Promise<string> {
  if (!existsSync(config.store)) return "";
  const owned = openStore(config.store, { mode: "own" });
  const opened = owned.kind === "owned" ? openStore(config.store, { mode: "read" }) : owned;
  if (opened.kind !== "open") return "";
  const { store } = opened;
  try {
    if (owned.kind === "open") await keep(store, cycle);
    const pace = (await store.ledger.readPace())?.value ?? freshPace;
    const left = count(requestsLeft(cycle.tickMs, pace, config));
    const note = owned.kind === "owned" ? "; not recorded, the running watch has the store" : "";
    return ` (${left} of ${count(config.budget.monthlyRequests)} left this month${note})`;
  } finally {
    store.close();
  }
}
