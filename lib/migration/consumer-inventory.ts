// A scan merged into the inventory that a team keeps: found parts are replaced, hand-written parts stay.
import type { Inventory, InventoryUse } from "../records/inventory.ts";
import type { Use } from "./scan-uses.ts";

const describeUse = ({ id, file, line, language, endpoint, confidence, fields, hazards }: Use) => ({
  id,
  file,
  line,
  language,
  endpoint,
  confidence,
  fields: [...new Set(fields.map(({ path }) => path))].sort(),
  hazards: hazards.map(({ rule, line: at }) => ({ rule, line: at })),
});

/** What only a person writes. */
const keptByHand = ({ owner, status, exception, note }: InventoryUse) => ({
  ...(owner !== undefined && { owner }),
  status,
  ...(exception && { exception }),
  ...(note !== undefined && { note }),
});

export type Merged = { inventory: Inventory; added: string[]; gone: string[]; back: string[] };

/** The same scan on the same day changes nothing. */
export function mergeInventory(before: Inventory | undefined, uses: readonly Use[], today: string): Merged {
  const known = new Map(before?.uses.map((use) => [use.id, use]));
  const found = new Set(uses.map(({ id }) => id));
  const current = uses.map((use): InventoryUse => {
    const earlier = known.get(use.id);
    return {
      ...describeUse(use),
      firstSeen: earlier?.firstSeen ?? today,
      ...(earlier ? keptByHand(earlier) : { status: "v1" as const }),
    };
  });
  const vanished = (before?.uses ?? [])
    .filter(({ id }) => !found.has(id))
    .map((use): InventoryUse => ({ ...use, gone: use.gone ?? today }));
  return {
    inventory: {
      ...(before?.$schema !== undefined && { $schema: before.$schema }),
      schema: "v1watch/inventory/1",
      scannedOn: today,
      uses: [...current, ...vanished].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    },
    added: current.filter(({ id }) => !known.has(id)).map(({ id }) => id),
    gone: vanished.filter(({ id }) => known.get(id)?.gone === undefined).map(({ id }) => id),
    back: current.filter(({ id }) => known.get(id)?.gone !== undefined).map(({ id }) => id),
  };
}
