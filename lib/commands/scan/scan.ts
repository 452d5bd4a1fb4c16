// v1watch scan: finds the uses of V1 in source trees.

import { stat } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { buildPlan } from "../../mapping/plan.ts";
import { inventoryJsonSchema } from "../../records/inventory.ts";
import type { Plan, ScanOutput } from "../../records/outputs.ts";
import {
  type Addresses,
  type Folder,
  MissingParser,
  type Scan,
  type ScanProgress,
  scanConsumers,
} from "../../scan/index.ts";
import { plural } from "../../text.ts";
import { exitCodes, type Io, type OptionName, type OptionValues, type Run, UsageError } from "../command.ts";
import { print } from "../layout.ts";
import { checkWritable, textIo, writeFileAtomically, writeOutput } from "../output-file.ts";
import { readTeamFiles } from "../ready/files.ts";
import { renderSarif } from "../sarif.ts";
import { findChanges, readInventory, updateInventory } from "./inventory.ts";
import { printable, renderNew, renderScan, summariseScan } from "./text.ts";

/** File names are relative to the folder of the inventory if the current folder is inside it. */
function findBaseFolder(inventoryFile: string | undefined): string {
  const [current, base] = [process.cwd(), inventoryFile && dirname(resolve(inventoryFile))];
  return base && !relative(base, current).startsWith("..") ? base : current;
}

/**
 * Folders outside the base keep their relative path, such as ../app. The inventory matches its entries by file name,
 * so names must be unique and must not depend on which folders are scanned together.
 */
async function resolveFolders(names: readonly string[], base: string): Promise<Folder[]> {
  return Promise.all(
    names.map(async (name) => {
      const found = await stat(name).catch(() => undefined);
      if (!found) throw new UsageError(`there is no folder "${printable(name)}"`);
      if (!found.isDirectory()) throw new UsageError(`"${printable(name)}" is a file; scan takes folders`);
      return { root: resolve(name), as: relative(base, resolve(name)).split(sep).join("/") };
    }),
  );
}

const barWidth = 24;

function drawBar({ done, total, lines }: ScanProgress): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * barWidth);
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${Math.floor(share * 100)} %  ${plural(lines, "line")}`;
}

/** `https://gateway.example.com/` is accepted as a host too. */
function readAddresses(values: OptionValues): Addresses {
  const list = (option: OptionName) => (values[option] as string[] | undefined) ?? [];
  const hosts = list("host").map((host) => host.replace(/^https?:\/\//, "").replace(/[/:].*$/, ""));
  if (hosts.some((host) => !/^[\w.-]+$/.test(host)))
    throw new UsageError("--host takes the name of a host, such as api.example.com");
  return { hosts, basePaths: list("base-path") };
}

const ids = (uses: readonly { id: string }[]) => uses.map(({ id }) => id);

const scanJson = (found: Scan, plan: Plan | undefined): ScanOutput => ({
  schema: "v1watch/scan/1",
  ...found,
  summary: summariseScan(found),
  plan,
});

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function runScan(folders: readonly Folder[], addresses: Addresses, io: Io): Promise<Scan | undefined> {
  const clear = () => io.isTerminal && io.err("\r\u001b[K");
  const scan = await scanConsumers(folders, {
    addresses,
    signal: io.signal,
    onProgress: (progress) => io.isTerminal && io.err(`\r\u001b[K${drawBar(progress)}`),
  }).catch((error: unknown) => {
    if (!(error instanceof MissingParser)) throw error;
    throw new UsageError(
      "scan needs packages that are not installed. Install v1watch without --omit=optional, or add them: npm install @ast-grep/napi @ast-grep/lang-python @ast-grep/lang-go",
    );
  });
  clear();
  return scan;
}

export const scan: Run = async (values, positionals, io) => {
  if (values.schema) {
    io.out(toJson(inventoryJsonSchema()));
    return exitCodes.success;
  }
  if (positionals.length === 0) throw new UsageError("scan needs a DIR. Try: v1watch scan .");
  const { inventory: inventoryFile, sarif: sarifFile } = values as { inventory?: string; sarif?: string };
  const text = textIo(io, inventoryFile, sarifFile);
  const isRatchet = values.new === true;
  if (isRatchet && inventoryFile === undefined) throw new UsageError("--new needs --inventory FILE");
  const folders = await resolveFolders(positionals, findBaseFolder(inventoryFile));
  for (const file of [isRatchet ? undefined : inventoryFile, sarifFile])
    if (file !== undefined) await checkWritable(file);
  // The inventory is read first, so that no scan is wasted on an invalid file.
  const before = inventoryFile === undefined ? undefined : await readInventory(inventoryFile);
  if (isRatchet && !before)
    throw new UsageError(
      `there is no inventory "${printable(inventoryFile!)}". Write it once with \`v1watch scan DIR… --inventory ${printable(inventoryFile!)}\`.`,
    );
  const { mapping } = await readTeamFiles({ mapping: values.mapping });
  const found = await runScan(folders, readAddresses(values), io);
  if (!found) {
    io.err("v1watch: the scan was interrupted; no files were written\n");
    return exitCodes.internalError;
  }
  const plan = mapping && buildPlan(found.uses, mapping.parsed, false);
  if (before && isRatchet) {
    const changes = findChanges(before, found);
    if (values.json) {
      const json: ScanOutput = {
        ...scanJson(found, plan),
        new: ids(changes.added),
        gone: ids(changes.gone),
      };
      text.out(toJson(json));
    } else print(text, renderNew(changes, inventoryFile!, before.scannedOn));
    if (sarifFile !== undefined)
      await writeOutput(sarifFile, toJson(renderSarif({ ...found, uses: changes.added }, plan)), io);
    return changes.added.length > 0 ? exitCodes.findings : exitCodes.success;
  }
  if (values.json) text.out(toJson(scanJson(found, plan)));
  else print(text, renderScan(found, plan));
  if (sarifFile !== undefined) await writeOutput(sarifFile, toJson(renderSarif(found, plan)), io);
  if (inventoryFile !== undefined) {
    const { json, summary } = updateInventory(inventoryFile, before, found);
    // The write is atomic because the file contains text that people have written.
    if (inventoryFile === "-") io.out(json);
    else await writeFileAtomically(inventoryFile, json);
    if (!values.json) print(text, summary);
  }
  const isClean = found.uses.length + found.questions.length + found.unfollowed.length === 0;
  return isClean ? exitCodes.success : exitCodes.findings;
};
