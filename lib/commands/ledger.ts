// What commands read: a watch's store on this machine, beside its owner or without one, or its table in AWS.
import { readAssessment } from "../assess/assess.ts";
import type { Outlook } from "../assess/outlook.ts";
import type { AssessState } from "../assess/state.ts";
import { assessmentSettings, type Config, mistakesText, readConfig } from "../config.ts";
import { openStore } from "../local/store.ts";
import type { Ledger, Outbox } from "../ports.ts";
import { exitCodes, type Io, UsageError, type Values } from "./command.ts";
import { explainClosed } from "./store-file.ts";
import { openTable, readTable } from "./table.ts";

export const storeOptions = {
  store: { type: "string" },
  table: { type: "string" },
  config: { type: "string" },
  json: { type: "boolean" },
} as const;

export const storeHelp = `  --store FILE    another store than .v1watch/watch.db (environment: V1WATCH_STORE)
  --table NAME    a watch in AWS: the output TableName of its stack (environment: V1WATCH_TABLE)
  --config FILE   another file than v1watch.config.json
  --json          for programs`;

/** Reading needs no address of V1; everything else of a configuration must be right. */
export async function loadConfig(values: Values, io: Io): Promise<Config> {
  const loaded = await readConfig(io.env, values);
  if (loaded.ok) return loaded.config;
  const isOnlyAddress = loaded.mistakes.every(({ path }) => path === "baseUrl");
  const again = isOnlyAddress
    ? await readConfig(io.env, { ...values, "base-url": "https://v1.invalid" })
    : loaded;
  if (again.ok) return again.config;
  throw new UsageError(
    mistakesText(again.mistakes)
      .replace(/^v1watch: /, "")
      .trimEnd(),
  );
}

export type Known = {
  state: AssessState;
  outlook: Outlook | undefined;
  store: { ledger: Ledger; outbox: Outbox };
  nowMs: number;
  config: Config;
};

/** Undefined where the watch is on this machine. */
export function nameTable({ store, table }: Values, env: Io["env"]): string | undefined {
  if (store !== undefined && table !== undefined)
    throw new UsageError("a watch is in --store or in --table, not in both");
  return typeof table === "string" ? table : store === undefined ? env.V1WATCH_TABLE || undefined : undefined;
}

export async function withLedger(
  values: Values,
  io: Io,
  work: (known: Known) => number | Promise<number>,
): Promise<number> {
  const config = await loadConfig(values, io);
  const tableName = nameTable(values, io.env);
  if (tableName !== undefined) {
    const table = await openTable(tableName, config, io.env);
    return readTable(tableName, () => tellKnown(table, config, io, work));
  }
  const opened = openStore(config.store, { mode: "read" });
  if (opened.kind !== "open")
    throw new UsageError(`the store ${config.store} cannot be read: ${explainClosed(opened)}`);
  const { store } = opened;
  try {
    return await tellKnown(store, config, io, work);
  } finally {
    store.close();
  }
}

async function tellKnown(
  store: Known["store"],
  config: Config,
  io: Io,
  work: (known: Known) => number | Promise<number>,
): Promise<number> {
  const nowMs = Date.now();
  const known = await readAssessment(store.ledger, assessmentSettings(config), nowMs);
  if (known.state.observations === 0) {
    io.err(`v1watch: nothing has been observed yet. \`v1watch up\` or \`v1watch probe\` begins.\n`);
    return exitCodes.usage;
  }
  return await work({ ...known, store, nowMs, config });
}
