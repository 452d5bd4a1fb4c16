// The file in which a team keeps its uses of V1: read, merged with a scan, written, and told in a line.
import { readFile } from "node:fs/promises";
import { plural } from "../../assess/alerts/text.ts";
import { type Inventory, inventory } from "../../records/inventory.ts";
import type { Scan } from "../../scan/index.ts";
import { isInFolder, type MergedInventory, mergeInventory } from "../../scan/index.ts";
import { UsageError } from "../command.ts";
import { writeWhole } from "../output-file.ts";
import { printable } from "./text.ts";

export async function readInventory(file: string): Promise<Inventory | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new UsageError(`cannot read "${file}": ${error.code}`);
  });
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UsageError(`"${file}" is not JSON; it was left as it is`);
  }
  const parsed = inventory.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(
    `"${file}" at ${issue?.path.join(".") || "its root"}: ${issue?.message}; it was left as it is`,
  );
}

const emptyFolders = ({ folders }: Scan) => folders.filter(({ files }) => files === 0);

function renderChanges(merged: MergedInventory, scan: Scan): string {
  const { added, gone, moved, back, reopened } = merged;
  const { uses } = merged.inventory;
  const outside = new Set(merged.outside);
  // What is under an empty folder is told in a sentence of its own.
  const elsewhere = uses.filter(
    ({ id, file }) => outside.has(id) && !emptyFolders(scan).some(({ name }) => isInFolder(name, file)),
  ).length;
  const some = (ids: readonly string[], what: string) => (ids.length > 0 ? [`${ids.length} ${what}`] : []);
  return [
    plural(uses.length, "use"),
    `${added.length} new`,
    `${gone.length} gone`,
    ...some(moved, "moved to another file"),
    ...some(back, "back"),
    ...some(reopened, "set from v2 to v1 again"),
    ...(elsewhere > 0
      ? [plural(elsewhere, "of another folder left as it is", "of other folders left as they are")]
      : []),
  ].join(", ");
}

/** A folder without a file is more likely the wrong one than one from which everything is gone. */
const renderEmpty = (scan: Scan): string[] =>
  emptyFolders(scan).map(
    ({ name }) => `No file was found in "${printable(name || ".")}", so nothing under it is marked gone.`,
  );

/** What changed, in words. */
export async function keepInventory(
  file: string,
  before: Inventory | undefined,
  scan: Scan,
): Promise<string> {
  const today = new Date().toISOString().slice(0, 10);
  const merged = mergeInventory(before, scan, today);
  // Whole or not at all: a team's words are in it.
  await writeWhole(file, `${JSON.stringify(merged.inventory, null, 2)}\n`);
  return [`${printable(file)}: ${renderChanges(merged, scan)}.`, ...renderEmpty(scan), ""].join("\n");
}
