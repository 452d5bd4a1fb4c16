// A worker process that writes to a store, forever or for a number of rounds, and prints each confirmed write.
import { writeSync } from "node:fs";
import { openStore } from "../../../lib/local/store/store.ts";
import { alertMessage, sampleObservation } from "../samples.ts";

const [path = "", first = "0", rounds = "Infinity"] = process.argv.slice(2);
const opened = openStore(path, { mode: "own" });
if (opened.kind !== "open" || opened.corrupt) {
  writeSync(2, `${JSON.stringify(opened)}\n`);
  process.exit(3);
}
const { ledger, outbox } = opened.store;
const startMs = Date.parse("2026-11-01T00:00:00Z");
for (let number = Number(first); number < Number(first) + Number(rounds); number += 1) {
  const atMs = startMs + number * 60_000;
  const at = new Date(atMs).toISOString();
  const id = `passport/authenticated/${number}`;
  const observation = sampleObservation(1, { id, at });
  const { kind } = await ledger.append(observation);
  if (kind === "new") writeSync(1, `observation ${id}\n`);
  if (number % 3 === 0) {
    const put = await outbox.put([alertMessage(number)]);
    if (put.kind === "kept") writeSync(1, `message ${alertMessage(number).id}\n`);
  }
  if (number % 5 === 0) {
    const { version, unassessed } = await ledger.backlog();
    const day = at.slice(0, 10);
    if (await ledger.commit({ version, folded: unassessed, checkpoints: [{ day, state: { number } }] }))
      writeSync(1, `commit ${version + 1}\n`);
  }
}
