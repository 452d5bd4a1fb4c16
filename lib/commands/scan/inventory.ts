// Merges a scan into the inventory of V1 uses, and summarizes the changes.

import { printable } from "../../config/config.ts";
import type { Inventory } from "../../records/inventory.ts";
import type { Scan } from "../../scan/index.ts";
import { type MergedInventory, mergeInventory } from "../../scan/index.ts";
import { plural } from "../../text.ts";
import { schemaAddress } from "../output-file.ts";
import type { Changes } from "./text.ts";

function renderChanges(merged: MergedInventory): string {
  const { added, gone, moved, back, reopened } = merged;
  const { uses } = merged.inventory;
  const elsewhere = merged.outside.length;
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
    summary: `${printable(file)}: ${renderChanges(merged)}.\n`,
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
