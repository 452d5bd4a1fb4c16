// Opens the data of a watch for commands: the store on this machine, or the DynamoDB table of a deployed watch.

import { existsSync } from "node:fs";
import { readAssessment, type Settings } from "../assess/assess.ts";
import type { Outlook } from "../assess/outlook.ts";
import type { AssessState } from "../assess/state.ts";
import { readVerdict, type Verdict } from "../assess/verdict.ts";
import { assessmentSettings } from "../config/assessment-settings.ts";
import { type OfflineConfig, printable } from "../config/config.ts";
import { classifySqliteError } from "../local/store/database.ts";
import { type Opened, openStore, type Store, simulatorStorePath } from "../local/store/store.ts";
import type { Ledger, Outbox } from "../ports.ts";
import type { Facts } from "../readiness/facts.ts";
import { plural } from "../text.ts";
import { exitCodes, type Io, UsageError } from "./command.ts";
import { loadOfflineConfig } from "./load-config.ts";
import { withRemedy } from "./remedies.ts";
import type { WatchValues } from "./shared-options.ts";

/** The data of a watch, wherever it runs. */
export type Watch = {
  /** The file of its store, or the name of its table. */
  name: string;
  ledger: Ledger;
  outbox: Outbox;
  proof(): Promise<NonNullable<Facts["proof"]>>;
  /** Undefined for a watch in AWS. */
  store?: Store;
};

export const watchOf = (store: Store, name: string): Watch => ({
  name,
  ledger: store.ledger,
  outbox: store.outbox,
  proof: async () => store.outbox.lastProof(),
  store,
});

const refuse = (reason: string): never => {
  throw new UsageError(reason);
};

/** Opens the store or the table that the options name, passes it to `work`, and closes it. */
export async function withWatch<T>(
  values: WatchValues,
  io: Pick<Io, "env">,
  work: (watch: Watch, config: OfflineConfig) => Promise<T>,
  onUnreadable?: (reason: string, config: OfflineConfig) => Promise<T>,
): Promise<T> {
  const { config } = await loadOfflineConfig(values, io);
  const name = tableOption(values, io.env);
  if (name === undefined)
    return withStore(
      config.store,
      (store) => work(watchOf(store, config.store), config),
      onUnreadable && ((reason) => onUnreadable(reason, config)),
    );
  const table = await openTable(name, config);
  return withTableRemedy(name, () => work({ name, ...table }, config));
}

/** Opens the store for reading, passes it to `work`, and closes it. */
export async function withStore<T>(
  path: string,
  work: (store: Store) => Promise<T>,
  onUnreadable: (reason: string) => Promise<T> = refuse,
): Promise<T> {
  const explain = (opened: Exclude<Opened, { kind: "open" }>) =>
    `the store ${printable(path)} cannot be read: ${explainOpenFailure(opened)}`;
  const opened = openStore(path, { mode: "read" });
  if (opened.kind !== "open") return onUnreadable(explain(opened));
  try {
    return await work(opened.store);
  } catch (error) {
    // Damage that only shows where it is read.
    const why = classifySqliteError(error);
    throw why ? new UsageError(explain({ kind: "unusable", why })) : error;
  } finally {
    opened.store.close();
  }
}

export type AssessedWatch = {
  state: AssessState;
  outlook: Outlook;
  verdict: Verdict;
  watch: Watch;
  nowMs: number;
  config: OfflineConfig;
};

/** Opens the watch and passes what it has assessed to `work`. Exit code 2 if nothing has been observed yet. */
export function withAssessment(
  values: WatchValues,
  io: Io,
  work: (assessed: AssessedWatch) => number | Promise<number>,
): Promise<number> {
  return withWatch(values, io, async (watch, config) => {
    const nowMs = Date.now();
    const assessment = await readAssessment(watch.ledger, await settingsOf(watch, config), nowMs);
    const verdict = readVerdict({ ...assessment, nowMs });
    if (assessment.state.observations > 0) return work({ ...assessment, verdict, watch, nowMs, config });
    io.err("v1watch: no observations yet. Run `v1watch up` or `v1watch probe` first.\n");
    return exitCodes.usage;
  });
}

/** Those by which the watch decided; where no watch has assessed yet, those of the configuration. */
export const settingsOf = async ({ ledger }: Watch, config: OfflineConfig): Promise<Settings> =>
  (await ledger.settings()) ?? assessmentSettings(config);

/** The table from --table or V1WATCH_TABLE; undefined if the watch is on this machine. */
export const tableOption = ({ store, table }: WatchValues, env: Io["env"]): string | undefined =>
  table ?? (store === undefined ? env.V1WATCH_TABLE || undefined : undefined);

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
  "hard-link":
    "it has a second name (a hard link), under which another process may write to it. Remove the link, or copy the file and use the copy with --store",
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

export function openStoreForWriting(path: string, io: Io, isDamaged = false): Store {
  const opened = openStore(path, { mode: "own", isDamaged });
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

/** Accessed with the credentials of the user of the command line. */
export async function openTable(
  tableName: string,
  { aws }: OfflineConfig,
): Promise<Pick<Watch, "ledger" | "outbox" | "proof">> {
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
