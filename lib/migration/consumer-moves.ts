// A function that went to another file is the same use under a new id: what people wrote of it goes with it.
import { posix } from "node:path";
import type { InventoryUse } from "../records/inventory.ts";

type Place = Pick<InventoryUse, "id" | "file" | "fields">;

/** What stays the same in another file: endpoint, function, fields; where those say little, the file's own name too. */
function traitsOf({ id, file, fields }: Place): string {
  const place = id.slice(file.length + 1);
  const saysLittle = place.endsWith(" (module)") && fields.length === 0;
  return JSON.stringify([place, fields, saysLittle ? posix.basename(file) : ""]);
}

/** By the new id, the use that was lost; only where no other could be meant on either side. */
export function findMoves(
  lost: readonly InventoryUse[],
  added: readonly Place[],
): ReadonlyMap<string, InventoryUse> {
  const candidates = Map.groupBy(lost, traitsOf);
  const moves = new Map<string, InventoryUse>();
  for (const [traits, [now, ...otherNew]] of Map.groupBy(added, traitsOf)) {
    const [before, ...otherLost] = candidates.get(traits) ?? [];
    if (now && before && otherNew.length + otherLost.length === 0) moves.set(now.id, before);
  }
  return moves;
}
