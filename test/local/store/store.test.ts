import { join } from "node:path";
import { afterAll } from "vitest";
import { openStore, type Store } from "../../../lib/local/store/store.ts";
import { makeFolder } from "../temporary-folder.ts";
import { describeLedger } from "./ledger-contract.ts";
import { describeOutbox } from "./outbox-contract.ts";

const folder = makeFolder();
const stores: Store[] = [];
afterAll(() => {
  for (const store of stores) store.close();
});

function open(): Store {
  const opened = openStore(join(folder, `${stores.length}`, "watch.db"), { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  stores.push(opened.store);
  return opened.store;
}

describeLedger("the embedded store", () => open().ledger, { appends: 1_000, runs: 10 });
describeOutbox("the embedded store", () => open().outbox, 10);
