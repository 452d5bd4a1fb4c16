// Merges a scan into the inventory: scanned data is replaced, and fields that people edited are kept.
import { posix } from "node:path";
import type {
  Inventory,
  InventoryField,
  InventoryUse,
  ScannedFolder,
  UnsureFile,
} from "../records/inventory.ts";
import type { Scan } from "./scan.ts";
import type { Use } from "./uses.ts";

const fieldsOf = ({ fields }: Use): InventoryField[] =>
  fields
    .map(({ why: _, ...field }) => field)
    .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));

const toInventoryUse = ({ inside: _, ...use }: Use, fields: InventoryField[]) => ({ ...use, fields });

export const isInFolder = (folder: string, file: string) => !/^\.\.(\/|$)/.test(posix.relative(folder, file));

/** Whether a use's file is in a scanned folder. A scan says nothing about files in other folders. */
function createScannedFilter(folders: Scan["folders"]): (use: { file: string }) => boolean {
  return ({ file }) => folders.some(({ name }) => isInFolder(name, file));
}

/** What was read of other folders stays. A folder that is scanned again, with those in it, is read anew. */
const mergeFolders = (
  before: readonly ScannedFolder[],
  folders: Scan["folders"],
  scannedOn: string,
): ScannedFolder[] =>
  [
    ...before.filter(({ name }) => !folders.some((folder) => isInFolder(folder.name, name))),
    ...folders.map(({ name, files, commit, digest, skipped }) => ({
      name,
      files,
      scannedOn,
      skipped: skipped.length > 0 ? skipped : undefined,
      commit,
      digest,
    })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));

/** A use with status v2 that is found again, or in another file, still calls V1. */
const isReopened = (id: string, earlier: InventoryUse | undefined) =>
  earlier?.status === "v2" && (earlier.gone !== undefined || earlier.id !== id);

/** Owner, status, exception, checked fields, review and note are edited by hand: they stay. */
const mergeUse = (
  use: ReturnType<typeof toInventoryUse>,
  earlier: InventoryUse | undefined,
  today: string,
): InventoryUse => ({
  ...use,
  firstSeen: earlier?.firstSeen ?? today,
  owner: earlier?.owner,
  status: !earlier || isReopened(use.id, earlier) ? "v1" : earlier.status,
  exception: earlier?.exception,
  checkedFields: earlier?.checkedFields,
  reviewed: earlier?.reviewed,
  note: earlier?.note,
});

/** The merged inventory and the ids of the uses that changed. */
export type MergedInventory = {
  inventory: Inventory;
  added: string[];
  gone: string[];
  back: string[];
  /** Found in another file than before. */
  moved: string[];
  /** Set from status v2 back to v1. */
  reopened: string[];
  /** In folders that were not scanned. */
  outside: string[];
  /** What this scan was not sure about, and nobody has reviewed. */
  unreviewed: UnsureFile[];
  /** Those of them that the inventory did not have. */
  newlyUnsure: UnsureFile[];
};

type Unsure = Pick<Scan, "questions" | "links" | "missing" | "notCounted" | "unfollowed">;

const listUnsure = ({ questions, links, missing, notCounted, unfollowed }: Unsure): UnsureFile[] => [
  ...questions.map(({ file, line }): UnsureFile => ({ file, line, reason: "no-call" })),
  ...notCounted.map((mention): UnsureFile => ({ ...mention, reason: "not-counted" })),
  ...unfollowed.map((file): UnsureFile => ({ file, line: 1, reason: "incomplete" })),
  ...links.map(({ file }): UnsureFile => ({ file, line: 1, reason: "link" })),
  ...missing.map((file): UnsureFile => ({ file, line: 1, reason: "missing" })),
];

/** The earlier row of each row, in the order of their lines: lines move, and the reason stays. */
function pairUnsure(
  before: readonly UnsureFile[],
  rows: readonly UnsureFile[],
): Map<UnsureFile, UnsureFile | undefined> {
  const keyOf = ({ file, reason, endpoint, why }: UnsureFile) =>
    JSON.stringify([file, reason, endpoint, why]);
  const earlier = Map.groupBy(before, keyOf);
  return new Map(rows.map((row) => [row, earlier.get(keyOf(row))?.shift()]));
}

const toIds = (uses: readonly { id: string }[]) => uses.map(({ id }) => id);

/** Idempotent: merging the same scan on the same day again changes nothing. */
export function mergeInventory(
  before: Inventory | undefined,
  scan: Pick<Scan, "uses" | "folders" | "addresses"> & Unsure,
  today: string,
  /** The address of the inventory's schema for editors, for an inventory that names none. */
  schema?: string,
): MergedInventory {
  const { uses, folders } = scan;
  const known = new Map(before?.uses.map((use) => [use.id, use]));
  const found = uses.map((use) => toInventoryUse(use, fieldsOf(use)));
  const ids = toIds(found);
  const foundIds = new Set(ids);
  const isScanned = createScannedFilter(folders);
  const missing = (before?.uses ?? []).filter(({ id }) => !foundIds.has(id));
  const open = missing.filter(({ gone }) => gone === undefined);
  const removed = open.filter(isScanned);
  const newUses = found.filter(({ id }) => !known.has(id));
  const moves = findMoves(removed, newUses);
  const earlierOf = (id: string) => known.get(id) ?? moves.get(id);
  const movedAway = new Set(moves.values());
  const gone = new Set(removed.filter((use) => !movedAway.has(use)));
  const rows = [
    ...found.map((use) => mergeUse(use, earlierOf(use.id), today)),
    ...missing
      .filter((use) => !movedAway.has(use))
      .map((use): InventoryUse => (gone.has(use) ? { ...use, gone: today } : use)),
  ];
  const earlierUnsure = before?.unsure ?? [];
  const pairs = pairUnsure(earlierUnsure.filter(isScanned), listUnsure(scan));
  const unsure = [...pairs].map(([row, earlier]): UnsureFile => ({ ...row, reviewed: earlier?.reviewed }));
  const addresses = [...(before?.addresses ?? []).filter((one) => !isScanned(one)), ...scan.addresses];
  const $schema = before?.$schema ?? schema;
  return {
    inventory: {
      $schema,
      schema: "v1watch/inventory/2",
      scannedOn: today,
      maxAgeDays: before?.maxAgeDays,
      folders: mergeFolders(before?.folders ?? [], folders, today),
      addresses: addresses.length > 0 ? addresses : undefined,
      uses: rows.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)),
      unsure: [...earlierUnsure.filter((row) => !isScanned(row)), ...unsure],
    },
    added: toIds(newUses).filter((id) => !moves.has(id)),
    gone: toIds([...gone]),
    back: ids.filter((id) => known.get(id)?.gone !== undefined),
    moved: [...moves.keys()],
    reopened: ids.filter((id) => isReopened(id, earlierOf(id))),
    outside: toIds(open.filter((use) => !isScanned(use))),
    unreviewed: unsure.filter(({ reviewed }) => !reviewed),
    newlyUnsure: [...pairs].flatMap(([row, earlier]) => (earlier ? [] : [row])),
  };
}

// A function that moved to another file is the same use with a new id, so its hand-edited fields are kept.
type UseIdentity = Pick<InventoryUse, "id" | "file" | "fields">;

/** What a moved use keeps: endpoint, function and fields; also the file name if these are ambiguous. */
function moveKeyOf({ id, file, fields }: UseIdentity): string {
  const endpointAndFunction = id.slice(file.length + 1);
  const isAmbiguous = endpointAndFunction.endsWith(" (module)") && fields.length === 0;
  const paths = [...new Set(fields.map(({ path }) => path))];
  return JSON.stringify([endpointAndFunction, paths, isAmbiguous ? posix.basename(file) : ""]);
}

/** Maps new ids to the missing uses that they replace; only unambiguous pairs are included. */
function findMoves(
  removed: readonly InventoryUse[],
  added: readonly UseIdentity[],
): ReadonlyMap<string, InventoryUse> {
  const candidates = Map.groupBy(removed, moveKeyOf);
  const moves = new Map<string, InventoryUse>();
  for (const [moveKey, [now, ...otherNew]] of Map.groupBy(added, moveKeyOf)) {
    const [before, ...otherRemoved] = candidates.get(moveKey) ?? [];
    if (now && before && otherNew.length + otherRemoved.length === 0) moves.set(now.id, before);
  }
  return moves;
}
