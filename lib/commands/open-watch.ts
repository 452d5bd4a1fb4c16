// What commands read: a watch's store on this machine, beside its owner or without one, or its table in AWS.

import { existsSync } from "node:fs";
import { readAssessment } from "../assess/assess.ts";
import type { Outlook } from "../assess/outlook/outlook.ts";
import type { AssessState } from "../assess/state.ts";
import type { Proof } from "../aws/outbox.ts";
import { assessmentSettings, type Config, mistakesText, printable, readConfig } from "../config/config.ts";
import { type Opened, openStore, type Store, simulatorStorePath } from "../local/store/store.ts";
import type { Ledger, Outbox } from "../ports.ts";
import { exitCodes, type Io, UsageError, type Values } from "./command.ts";
import { withRemedy } from "./remedies.ts";

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
    const table = await openTable(tableName, config);
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

// The store's file for commands: how it is opened, and what to do where it cannot be.
export async function readStoreConfig(values: Values, io: Io): Promise<Config> {
  const loaded = await readConfig(io.env, {
    "base-url": io.env.V1WATCH_BASE_URL || "https://v1.invalid",
    ...values,
  });
  if (loaded.ok) return loaded.config;
  throw new UsageError(
    mistakesText(loaded.mistakes)
      .replace(/^v1watch: /, "")
      .trimEnd(),
  );
}

export async function openStoreForReading(values: Values, io: Io): Promise<{ store: Store; path: string }> {
  const { store: path } = await readStoreConfig(values, io);
  const opened = openStore(path, { mode: "read" });
  if (opened.kind === "open") return { store: opened.store, path };
  throw new UsageError(`the store ${path} cannot be read: ${explainClosed(opened)}`);
}

const unusable: Record<Extract<Opened, { kind: "unusable" }>["why"], string> = {
  newer: "it was written by a newer v1watch. Use that one, or name another store with --store",
  older:
    "it was written by an earlier v1watch, whose stores this one does not read. Name another with --store, or move this one away",
  foreign: "it is not a store of v1watch. Name another with --store",
  fresh: "nothing is in it yet. `v1watch up` fills it",
  corrupt: "it is damaged. `v1watch up` sets it aside and starts a new one",
  "disk-full": "the disk is full. Make room on it",
  "disk-error": "the disk fails. Look at the system's log, or name a store on another disk with --store",
  locked: "another process is writing it. Try again in a moment",
  "read-only":
    "this user may not write it or its folder, which reading needs too. Run as its owner, or name another with --store",
  "bad-path":
    "it is a folder, or a folder on the way to it is none and cannot be made. Name a file with --store",
};

/** Why there is no store to work with, and what to do. */
export function explainClosed(opened: Exclude<Opened, { kind: "open" }>): string {
  if (opened.kind === "unusable") return unusable[opened.why];
  if (opened.kind === "owned") return "another process has it. Stop it, or use --store";
  return existsSync(simulatorStorePath)
    ? `it is not there. The simulator is watched in another: add --store ${simulatorStorePath}. Start \`v1watch up\` with an address of V1 to watch V1 itself`
    : "it is not there. Start `v1watch up`, or name another with --store";
}

export function openOwnStore(path: string, io: Io): Store {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind === "owned") {
    const who = opened.pid === undefined ? "another process" : `pid ${opened.pid}`;
    throw new UsageError(`the store ${path} is in use by ${who}. Stop it, or use --store.`);
  }
  if (opened.kind !== "open")
    throw new UsageError(`the store ${path} cannot be used: ${explainClosed(opened)}`);
  if (opened.corruptFile)
    io.err(
      `v1watch: DEGRADED: the store was corrupt; it is kept as ${opened.corruptFile}, and a new one is begun\n`,
    );
  return opened.store;
}

// A watch in AWS from here: its table, with the credentials of whoever asks.
export type Table = { ledger: Ledger; outbox: Outbox; proof(): Promise<Proof | "none"> };

export async function openTable(tableName: string, { aws }: Config): Promise<Table> {
  // Only here: it brings the SDK.
  const [{ createLedger }, { createOutbox, readProof }] = await Promise.all([
    import("../aws/ledger.ts"),
    import("../aws/outbox.ts"),
  ]);
  const options = { tableName, retentionDays: aws.retentionDays, region: aws.region };
  return {
    ledger: createLedger(options),
    outbox: createOutbox(options),
    proof: () => readProof(options),
  };
}

/** What AWS refuses is told as a mistake of usage, with its remedy. */
export const readTable = <T>(tableName: string, work: () => Promise<T>): Promise<T> =>
  withRemedy(
    `the table ${printable(tableName)} cannot be used`,
    {
      allow: "dynamodb:GetItem and dynamodb:Query on it and its indexes, and to write for dynamodb:PutItem",
      missing: "it is not in this account and region. Its name is the output TableName of the stack.",
    },
    work,
  );
