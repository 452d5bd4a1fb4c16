// The store's file for commands that copy it: beside its owner, and without an address of V1.
import { type Config, mistakesText, readConfig } from "../config.ts";
import { openStore, type Store } from "../local/store.ts";
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
  if (opened.kind === "absent") throw new UsageError(`there is no store at ${path}. Name one with --store`);
  const why = opened.kind === "unusable" ? opened.why : "in use";
  throw new UsageError(`the store ${path} cannot be read: ${why}`);
}

const troubles: Record<string, string> = {
  newer: "it was written by a newer v1watch",
  foreign: "it is not a store of v1watch",
  "disk-full": "the disk is full",
  "read-only": "it may not be written",
};

export function openOwnStore(path: string, io: Io): Store {
  const opened = openStore(path, { mode: "own" });
  if (opened.kind === "owned") {
    const who = opened.pid === undefined ? "another process" : `pid ${opened.pid}`;
    throw new UsageError(`the store ${path} is in use by ${who}. Stop it, or use --store.`);
  }
  if (opened.kind !== "open") {
    const why = opened.kind === "unusable" ? (troubles[opened.why] ?? opened.why) : opened.kind;
    throw new UsageError(`the store ${path} cannot be used: ${why}`);
  }
  if (opened.setAside)
    io.err(
      `v1watch: DEGRADED: the store was corrupt; it is kept as ${opened.setAside}, and a new one is begun\n`,
    );
  return opened.store;
}
