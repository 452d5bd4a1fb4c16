// Merges a scan into the inventory of V1 uses, and summarizes the changes.

import { printable } from "../../config/config.ts";
import type { Inventory } from "../../records/inventory.ts";
import type { Scan } from "../../scan/index.ts";
import { isInFolder, type MergedInventory, mergeInventory } from "../../scan/index.ts";
import { plural } from "../../text.ts";
import { schemaAddress } from "../output-file.ts";
import type { Changes } from "./text.ts";

const emptyFolders = ({ folders }: Scan) => folders.filter(({ files }) => files === 0);

function renderChanges(merged: MergedInventory, scan: Scan): string {
  const { added, gone, moved, back, reopened } = merged;
  const { uses } = merged.inventory;
  const outside = new Set(merged.outside);
  // Uses in an empty folder are reported by renderEmptyFolders.
  const elsewhere = uses.filter(
    ({ id, file }) => outside.has(id) && !emptyFolders(scan).some(({ name }) => isInFolder(name, file)),
  ).length;
  const nonZero = (ids: readonly string[], label: string) =>
    ids.length > 0 ? [`${ids.length} ${label}`] : [];
  return [
    plural(uses.length, "use"),
    `${added.length} new`,
    `${gone.length} gone`,
    ...nonZero(moved, "moved to another file"),
    ...nonZero(back, "found again"),
    ...nonZero(reopened, "reset from v2 to v1"),
    ...(elsewhere > 0
      ? [plural(elsewhere, "in another folder unchanged", "in other folders unchanged")]
      : []),
  ].join(", ");
}

/** A folder without files is more likely a wrong path than a folder whose files were all deleted. */
const renderEmptyFolders = (scan: Scan): string[] =>
  emptyFolders(scan).map(
    ({ name }) => `No files were found in "${printable(name || ".")}", so no use in it is marked as gone.`,
  );

/** Merges the scan into the inventory: the new text of the file, and a summary of the changes. */
export function updateInventory(
  file: string,
  before: Inventory | undefined,
  scan: Scan,
): { json: string; summary: string; unreviewed: number } {
  const today = new Date().toISOString().slice(0, 10);
  const merged = mergeInventory(before, scan, today, schemaAddress("inventory", file));
  return {
    json: `${JSON.stringify(merged.inventory, null, 2)}\n`,
    unreviewed: merged.unreviewed.length,
    summary: [`${printable(file)}: ${renderChanges(merged, scan)}.`, ...renderEmptyFolders(scan), ""].join(
      "\n",
    ),
  };
}

/** What the inventory does not have, or has as gone, and the uses of it that are gone now. */
export function findChanges(before: Inventory, scan: Scan): Changes {
  const merged = mergeInventory(before, scan, new Date().toISOString().slice(0, 10));
  const added = new Set([...merged.added, ...merged.back]);
  const gone = new Set(merged.gone);
  return {
    added: scan.uses.filter(({ id }) => added.has(id)),
    gone: before.uses.filter(({ id }) => gone.has(id)),
    unsure: merged.newlyUnsure,
  };
}
