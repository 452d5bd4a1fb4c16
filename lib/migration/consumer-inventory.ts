// A scan merged into the inventory that a team keeps: found parts are replaced, hand-written parts stay.
import type { Inventory, InventoryUse } from "../records/inventory.ts";
import { isInside, type Use } from "./scan-uses.ts";

/** To fetch `passport_profile` on one line and its `bio` on another is to use the bio, not all of the profile. */
function leavesOf(uses: readonly Use[]): (use: Use) => string[] {
  const byFile = Map.groupBy(uses, ({ file }) => file);
  return ({ file, fields }) => {
    const read = byFile.get(file)?.flatMap((use) => use.fields.map(({ path }) => path)) ?? [];
    const own = new Set(fields.map(({ path }) => path));
    return [...own].filter((path) => !read.some((other) => isInside(other, path))).sort();
  };
}

const describeUse = ({ id, file, line, language, endpoint, confidence, hazards }: Use, fields: string[]) => ({
  id,
  file,
  line,
  language,
  endpoint,
  confidence,
  fields,
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
  const fieldsOf = leavesOf(uses);
  const current = uses.map((use): InventoryUse => {
    const earlier = known.get(use.id);
    return {
      ...describeUse(use, fieldsOf(use)),
      firstSeen: earlier?.firstSeen ?? today,
      ...(earlier ? keptByHand(earlier) : { status: "v1" as const }),
    };
  });
  const vanished = (before?.uses ?? [])
    .filter(({ id }) => !found.has(id))
    .map((use): InventoryUse => ({ ...use, gone: use.gone ?? today }));
  return {
    inventory: {
      $schema: before?.$schema ?? "./v1watch.inventory.schema.json",
      schema: "v1watch/inventory/1",
      scannedOn: today,
      uses: [...current, ...vanished].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    },
    added: current.filter(({ id }) => !known.has(id)).map(({ id }) => id),
    gone: vanished.filter(({ id }) => known.get(id)?.gone === undefined).map(({ id }) => id),
    back: current.filter(({ id }) => known.get(id)?.gone !== undefined).map(({ id }) => id),
  };
}
