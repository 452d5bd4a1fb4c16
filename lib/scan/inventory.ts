// A scan merged into the inventory that a team keeps: found parts are replaced, hand-written parts stay.
import { posix } from "node:path";
import type { Inventory, InventoryUse } from "../records/inventory.ts";
import type { Scan } from "./scan.ts";
import { isInside, type Use } from "./uses.ts";

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

export const isIn = (folder: string, file: string) => !/^\.\.(\/|$)/.test(posix.relative(folder, file));

/** Whether a use's file is in a folder that was read: of all others a scan knows nothing. */
function readIn(folders: Scan["folders"]): (use: InventoryUse) => boolean {
  const read = folders.filter(({ files }) => files > 0);
  return ({ file }) => read.some(({ name }) => isIn(name, file));
}

/** What is found again, or in another file, is not moved to V2, whatever was said of it before. */
const isReopened = (id: string, earlier: InventoryUse | undefined) =>
  earlier?.status === "v2" && (earlier.gone !== undefined || earlier.id !== id);

const renewUse = (
  use: ReturnType<typeof describeUse>,
  earlier: InventoryUse | undefined,
  today: string,
): InventoryUse => ({
  ...use,
  firstSeen: earlier?.firstSeen ?? today,
  ...(earlier && keptByHand(earlier)),
  status: !earlier || isReopened(use.id, earlier) ? "v1" : earlier.status,
});

/** Ids, beside the inventory itself. */
export type Merged = {
  inventory: Inventory;
  added: string[];
  gone: string[];
  back: string[];
  /** In another file than before. */
  moved: string[];
  /** Of status v1 again, after v2. */
  reopened: string[];
  /** Not looked for. */
  outside: string[];
};

const idsOf = (uses: readonly { id: string }[]) => uses.map(({ id }) => id);

/** The same scan on the same day changes nothing. */
export function mergeInventory(
  before: Inventory | undefined,
  { uses, folders }: Pick<Scan, "uses" | "folders">,
  today: string,
): Merged {
  const known = new Map(before?.uses.map((use) => [use.id, use]));
  const fieldsOf = leavesOf(uses);
  const found = uses.map((use) => describeUse(use, fieldsOf(use)));
  const ids = idsOf(found);
  const foundIds = new Set(ids);
  const isRead = readIn(folders);
  const missing = (before?.uses ?? []).filter(({ id }) => !foundIds.has(id));
  const open = missing.filter(({ gone }) => gone === undefined);
  const lost = open.filter(isRead);
  const fresh = found.filter(({ id }) => !known.has(id));
  const moves = findMoves(lost, fresh);
  const earlierOf = (id: string) => known.get(id) ?? moves.get(id);
  const movedAway = new Set(moves.values());
  const gone = new Set(lost.filter((use) => !movedAway.has(use)));
  const rows = [
    ...found.map((use) => renewUse(use, earlierOf(use.id), today)),
    ...missing
      .filter((use) => !movedAway.has(use))
      .map((use): InventoryUse => (gone.has(use) ? { ...use, gone: today } : use)),
  ];
  return {
    inventory: {
      $schema: before?.$schema ?? "./schemas/inventory.schema.json",
      schema: "v1watch/inventory/1",
      scannedOn: today,
      uses: rows.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
    },
    added: idsOf(fresh).filter((id) => !moves.has(id)),
    gone: idsOf([...gone]),
    back: ids.filter((id) => known.get(id)?.gone !== undefined),
    moved: [...moves.keys()],
    reopened: ids.filter((id) => isReopened(id, earlierOf(id))),
    outside: idsOf(open.filter((use) => !isRead(use))),
  };
}

// A function that went to another file is the same use under a new id: what people wrote of it goes with it.
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
