// The outbox in the embedded store.
import type { DatabaseSync } from "node:sqlite";
import { type Outbox, type Parcel, parcelAtMs } from "../ports.ts";
import type { HealthWatch } from "./store-health.ts";
import { transact } from "./store-schema.ts";

export function createOutbox(db: DatabaseSync, { write, tryWrite }: HealthWatch): Outbox {
  const insert = db.prepare("INSERT INTO parcel VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING");
  const pending = db.prepare(
    "SELECT body FROM parcel WHERE kind = ? AND body IS NOT NULL ORDER BY at_ms, id LIMIT ?",
  );
  const deliver = db.prepare("UPDATE parcel SET body = NULL WHERE id = ?");

  return {
    async put(parcels) {
      return tryWrite(() =>
        transact(db, () => {
          for (const parcel of parcels)
            insert.run(parcel.id, parcel.kind, parcelAtMs(parcel), JSON.stringify(parcel));
          return { kind: "kept" };
        }),
      );
    },
    async pending(kind, limit) {
      return (pending.all(kind, limit) as { body: string }[]).map(({ body }) => JSON.parse(body) as Parcel);
    },
    async markDelivered({ id }) {
      write(() => deliver.run(id));
    },
  };
}
