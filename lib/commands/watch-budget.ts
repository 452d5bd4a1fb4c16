// The budget of the watch, for requests to V1 that are not its own: those of a comparison and of a rehearsal.
import type { Config, Origin } from "../config/config.ts";
import { isLoopbackHost } from "../config/loopback.ts";
import { openStore } from "../local/store/store.ts";
import { createSharedBudget, type SharedBudget } from "../probe/schedule/shared-budget.ts";
import { formatCount, plural } from "../text.ts";
import { type Io, UsageError } from "./command.ts";
import { explainOpenFailure, openTable, tableOption, withTableRemedy } from "./open-watch.ts";
import type { WatchValues } from "./shared-options.ts";

export const formatDay = (atMs: number) =>
  new Date(atMs).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

/** What the budget has left, or that no budget counts the requests. */
export const describeRemaining = (remaining: RemainingBudget | undefined, storePath: string): string =>
  remaining
    ? `The budget has ${plural(remaining.spare, "request")} available until ${formatDay(remaining.monthEndMs)}; ${formatCount(remaining.kept)} are reserved for the watch.`
    : `There is no watch with a store at ${storePath}, so these requests are not counted in any budget, although V1 counts them against the key. Set the watch with --store or, in AWS, --table.`;

export type RemainingBudget = Awaited<ReturnType<SharedBudget["remaining"]>>;

/** The budget of the watch that counts the requests to V1 that are not its own. */
export type WatchBudget = { sharedBudget: SharedBudget; remaining: RemainingBudget; close(): void };

type BudgetInput = { config: Config; origins: Readonly<Record<string, Origin>>; env: Io["env"] };

/** Undefined if there is no store. A V1 on this machine has no quota, unless its store is given explicitly. */
export async function openWatchBudget(
  values: WatchValues,
  { config, origins, env }: BudgetInput,
): Promise<WatchBudget | undefined> {
  const { store: path } = config;
  const tableName = tableOption(values, env);
  if (tableName !== undefined) return openTableBudget(tableName, config);
  const isExplicit = origins.store === "flag" || origins.store === "environment";
  if (isLoopbackHost(new URL(config.baseUrl).hostname) && !isExplicit) return undefined;
  const opened = openStore(path, { mode: "read" });
  if (opened.kind === "absent" && origins.store !== "flag") return undefined;
  if (opened.kind !== "open")
    throw new UsageError(
      `requests cannot be counted in the budget of ${path}: ${explainOpenFailure(opened)}`,
    );
  const { store } = opened;
  const sharedBudget = createSharedBudget({
    ledger: store.ledger,
    config,
    nowMs: Date.now,
  });
  return { sharedBudget, remaining: await sharedBudget.remaining(), close: () => store.close() };
}

async function openTableBudget(tableName: string, config: Config): Promise<WatchBudget> {
  const { ledger } = await openTable(tableName, config);
  const sharedBudget = createSharedBudget({ ledger, config, nowMs: Date.now });
  const remaining = await withTableRemedy(tableName, sharedBudget.remaining);
  return { sharedBudget, remaining, close: () => {} };
}
