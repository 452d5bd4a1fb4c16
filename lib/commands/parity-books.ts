// Whose books a comparison's requests to V1 go into: a watch's on this machine, one's in AWS, or nobody's.
import type { Config, Origin } from "../config.ts";
import { openStore } from "../local/store.ts";
import { createGuest, type Guest } from "../probe/guest.ts";
import { type Io, UsageError, type Values } from "./command.ts";
import { nameTable } from "./ledger.ts";
import { explainClosed } from "./store-file.ts";
import { openTable, readTable } from "./table.ts";

export type Spare = Awaited<ReturnType<Guest["weigh"]>>;
export type Books = { guest: Guest; spare: Spare; close(): void };

type Given = {
  config: Config;
  origins: Readonly<Record<string, Origin>>;
  isLocal: boolean;
  env: Io["env"];
};

/** Undefined where no watch has a store. A V1 on this machine has no quota, unless its watch is named. */
export async function openBooks(
  values: Values,
  { config, origins, isLocal, env }: Given,
): Promise<Books | undefined> {
  const { store: path } = config;
  const tableName = nameTable(values, env);
  if (tableName !== undefined) return bookInTable(tableName, config, env);
  const isNamed = origins.store === "flag" || origins.store === "environment";
  if (isLocal && !isNamed) return undefined;
  const opened = openStore(path, { mode: "read" });
  if (opened.kind === "absent" && origins.store !== "flag") return undefined;
  if (opened.kind !== "open")
    throw new UsageError(`the watch's books in ${path} cannot be kept: ${explainClosed(opened)}`);
  const { store } = opened;
  const guest = createGuest({ ledger: store.ledger, config, apart: false, nowMs: Date.now });
  return { guest, spare: await guest.weigh(), close: () => store.close() };
}

async function bookInTable(tableName: string, config: Config, env: Io["env"]): Promise<Books> {
  const { ledger } = await openTable(tableName, config, env);
  const guest = createGuest({ ledger, config, apart: true, nowMs: Date.now });
  return { guest, spare: await readTable(tableName, guest.weigh), close: () => {} };
}
