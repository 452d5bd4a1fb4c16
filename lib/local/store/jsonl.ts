// Export of a store's records as JSON Lines. Each line is one record, identified by its `schema` field.
import { outOfOrder } from "./database.ts";
import type { Store } from "./store.ts";

/** `history` has the sent alerts, which only a store keeps. */
export async function* exportLines({
  ledger,
  history,
}: Pick<Store, "ledger"> & Partial<Pick<Store, "history">>): AsyncGenerator<string> {
  if (history) yield* history.observationLines();
  else
    for await (const record of ledger.observations(0, Number.MAX_SAFE_INTEGER)) yield JSON.stringify(record);
  for (const record of await ledger.decisions()) yield JSON.stringify(record);
  let seq = 0;
  while (history) {
    const page = history.sentAlertsAfter(seq, 500);
    for (const { alert: record } of page) yield JSON.stringify(record);
    const last = page.at(-1);
    if (!last) return;
    if (last.seq <= seq) throw outOfOrder();
    seq = last.seq;
  }
}
