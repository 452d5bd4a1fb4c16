// Opens the data of a watch for commands: the store on this machine, or the DynamoDB table of a deployed watch.

import { existsSync } from "node:fs";
import { readAssessment, type Settings } from "../assess/assess.ts";
import type { Outlook } from "../assess/outlook.ts";
import type { AssessState } from "../assess/state.ts";
import type { Proof } from "../aws/outbox.ts";
import { assessmentSettings } from "../config/assessment-settings.ts";
import { mistakesText, type OfflineConfig, printable, readOfflineConfig } from "../config/config.ts";
import { classifySqliteError } from "../local/store/health.ts";
import { type Opened, openStore, type Store, simulatorStorePath } from "../local/store/store.ts";
import type { Ledger, Outbox } from "../ports.ts";
import { plural } from "../text.ts";
import { exitCodes, type Io, type OptionValues, UsageError } from "./command.ts";
import { withRemedy } from "./remedies.ts";

/** Reading a watch does not require V1's base URL. Every other configuration error is reported. */
export async function loadConfigForReading(values: OptionValues, io: Io): Promise<OfflineConfig> {
  const loaded = await readOfflineConfig(io.env, values);
  if (loaded.ok) return loaded.config;
  throw new UsageError(mistakesText(loaded.mistakes));
}

export type OpenedWatch = {
  state: AssessState;
  outlook: Outlook;
  store: { ledger: Ledger; outbox: Outbox };
  nowMs: number;
  config: OfflineConfig;
  /** A watch in AWS. */
  isTable: boolean;
};

/** The table from --table or V1WATCH_TABLE; undefined if the watch is on this machine. */
export function tableOption({ store, table }: OptionValues, env: Io["env"]): string | undefined {
  return typeof table === "string" ? table : store === undefined ? env.V1WATCH_TABLE || undefined : undefined;
}

export type WatchSource =
  | { kind: "store"; name: string; store: Store }
  | { kind: "table"; name: string; table: WatchTable }
  | { kind: "unavailable"; reason: string };

/** Chooses the store or the table for every command that reads a watch, passes it to `work`, and closes it. */
export async function openSource<T>(
  values: OptionValues,
  io: Pick<Io, "env">,
  config: OfflineConfig,
  work: (source: WatchSource) => Promise<T>,
): Promise<T> {
  const tableName = tableOption(values, io.env);
  if (tableName !== undefined) {
    const table = await openTable(tableName, config);
    return withTableRemedy(tableName, () => work({ kind: "table", name: tableName, table }));
  }
  const opened = openStore(config.store, { mode: "read" });
  if (opened.kind !== "open") {
    const name = printable(config.store);
    return work({
      kind: "unavailable",
      reason: `the store ${name} cannot be read: ${explainOpenFailure(opened)}`,
    });
  }
  const { store } = opened;
  try {
    return await work({ kind: "store", name: config.store, store });
  } catch (error) {
    // Damage that only shows where it is read.
    const why = classifySqliteError(error);
    if (!why) throw error;
    const reason = explainOpenFailure({ kind: "unusable", why });
    throw new UsageError(`the store ${printable(config.store)} cannot be read: ${reason}`);
  } finally {
    store.close();
  }
}

/** Opens the watch, passes its state to `work`, and closes it. Exit code 2 if nothing has been observed yet. */
export async function openWatch(
  values: OptionValues,
  io: Io,
  work: (watch: OpenedWatch) => number | Promise<number>,
): Promise<number> {
  const config = await loadConfigForReading(values, io);
  return openSource(values, io, config, async (source) => {
    if (source.kind === "unavailable") throw new UsageError(source.reason);
    const isTable = source.kind === "table";
    const settings = await settingsOf(source, config);
    return assessAndRun(
      { store: isTable ? source.table : source.store, config, isTable, settings },
      io,
      work,
    );
  });
}

/** Those by which the watch decided; where no watch has assessed yet, those of the configuration. */
export async function settingsOf(
  source: Exclude<WatchSource, { kind: "unavailable" }>,
  config: OfflineConfig,
): Promise<Settings> {
  const { ledger } = source.kind === "store" ? source.store : source.table;
  return (await ledger.settings()) ?? assessmentSettings(config);
}

async function assessAndRun(
  {
    store,
    config,
    isTable,
    settings,
  }: Pick<OpenedWatch, "store" | "config" | "isTable"> & { settings: Settings },
  io: Io,
  work: (watch: OpenedWatch) => number | Promise<number>,
): Promise<number> {
  const nowMs = Date.now();
  const assessment = await readAssessment(store.ledger, settings, nowMs);
  if (assessment.state.observations === 0) {
    io.err(`v1watch: no observations yet. Run \`v1watch up\` or \`v1watch probe\` first.\n`);
    return exitCodes.usage;
  }
  return await work({ ...assessment, store, nowMs, config, isTable });
}

export async function openStoreForReading(
  values: OptionValues,
  io: Io,
): Promise<{ store: Store; path: string }> {
  const { store: path } = await loadConfigForReading(values, io);
  const opened = openStore(path, { mode: "read" });
  if (opened.kind === "open") return { store: opened.store, path };
  throw new UsageError(`the store ${path} cannot be read: ${explainOpenFailure(opened)}`);
}

const unusableReasons: Record<Extract<Opened, { kind: "unusable" }>["why"], string> = {
  newer: "it was written by a newer version of v1watch. Use that version, or another store with --store",
  older:
    "it was written by a very old version of v1watch, whose format is not supported. Use another store with --store, or move this file away",
  foreign: "it is not a v1watch store. Use another store with --store",
  fresh: "it is empty. Start `v1watch up` to fill it",
  corrupt: "it is corrupt. `v1watch up` renames it and creates a new one with all rows that can be read",
  "disk-full": "the disk is full. Free some space",
  "disk-error":
    "the disk reports an error. Check the system log, or use a store on another disk with --store",
  locked: "another process is writing to it. Try again in a moment",
  "read-only":
    "this user has no write permission for the file or its folder, which reading requires as well. Run the command as its owner, or use another store with --store",
  "bad-path": "it is a folder, or its folder does not exist and cannot be created. Set a file with --store",
};

/** Why the store could not be opened, and the remedy. */
export function explainOpenFailure(opened: Exclude<Opened, { kind: "open" }>): string {
  if (opened.kind === "unusable") return unusableReasons[opened.why];
  if (opened.kind === "owned")
    return "another process uses it. Stop that process, or use another store with --store";
  return existsSync(simulatorStorePath)
    ? `it does not exist. For the data of the simulator, add --store ${simulatorStorePath}. To watch V1 itself, start \`v1watch up --base-url URL\``
    : "it does not exist. Start `v1watch up`, or use another store with --store";
}

export function openStoreForWriting(path: string, io: Io): Store {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind === "owned") {
    const owner = opened.pid === undefined ? "another process" : `pid ${opened.pid}`;
    throw new UsageError(
      `the store ${path} is in use by ${owner}. Stop that process, or use another store with --store.`,
    );
  }
  if (opened.kind !== "open")
    throw new UsageError(`the store ${path} cannot be used: ${explainOpenFailure(opened)}`);
  if (opened.corrupt)
    io.err(
      `v1watch: DEGRADED: the store was corrupt. It was renamed to ${opened.corrupt.file}, and a new store was created with the ${plural(opened.corrupt.recovered, "row")} that could be read.\n`,
    );
  return opened.store;
}

/** The table of a watch in AWS, accessed with the credentials of the user of the command line. */
export type WatchTable = { ledger: Ledger; outbox: Outbox; proof(): Promise<Proof | "none"> };

export async function openTable(tableName: string, { aws }: OfflineConfig): Promise<WatchTable> {
  // Imported on demand because this loads the AWS SDK.
  const [{ createLedger }, { createOutbox, readProof }] = await Promise.all([
    import("../aws/ledger.ts"),
    import("../aws/outbox.ts"),
  ]);
  const options = { tableName, retentionDays: aws.retentionDays, region: aws.region };
  const ledger = createLedger(options);
  return {
    ledger,
    outbox: createOutbox(options),
    proof: async () => readProof(options, await ledger.subscriptionStatus()),
  };
}

/** Turns an AWS error during access to the table into a UsageError with a remedy. */
export const withTableRemedy = <T>(tableName: string, work: () => Promise<T>): Promise<T> =>
  withRemedy(
    `the table ${printable(tableName)} cannot be used`,
    {
      allow: "dynamodb:GetItem and dynamodb:Query on it and its indexes, and dynamodb:PutItem to write",
      missing: "it does not exist in this account and region. Its name is the stack output TableName.",
      invalid: "it is not a table of v1watch. The name of its table is the stack output TableName.",
    },
    work,
  );
