// The store's file for commands: how it is opened, and what to do where it cannot be.
import { existsSync } from "node:fs";
import { type Config, mistakesText, readConfig } from "../config.ts";
import { type Opened, openStore, type Store, simulatorStorePath } from "../local/store.ts";
import { type Io, UsageError, type Values } from "./command.ts";

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

export async function openBeside(values: Values, io: Io): Promise<{ store: Store; path: string }> {
  const { store: path } = await readStoreConfig(values, io);
  const opened = openStore(path, { mode: "read" });
  if (opened.kind === "open") return { store: opened.store, path };
  throw new UsageError(`the store ${path} cannot be read: ${explainClosed(opened)}`);
}

const unusable: Record<Extract<Opened, { kind: "unusable" }>["why"], string> = {
  newer: "it was written by a newer v1watch. Use that one, or name another store with --store",
  older: "it was written by an older v1watch. Start `v1watch up` once, which brings it up to date",
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
  if (opened.setAside)
    io.err(
      `v1watch: DEGRADED: the store was corrupt; it is kept as ${opened.setAside}, and a new one is begun\n`,
    );
  return opened.store;
}
