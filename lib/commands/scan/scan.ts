// v1watch scan: finds the uses of V1 in source trees.

import { stat } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import { Argument } from "commander";
import { printable } from "../../config/config.ts";
import { listSuccessorNames } from "../../mapping/fields.ts";
import { buildPlan } from "../../mapping/plan.ts";
import type { Plan, ScanOutput } from "../../records/outputs.ts";
import {
  type Addresses,
  EndlessScan,
  type Folder,
  MissingParser,
  type Scan,
  type SuccessorNames,
  scanGuarded,
} from "../../scan/index.ts";
import { plural } from "../../text.ts";
import { dayText } from "../../time.ts";
import { defineCommand, exitCodes, flag, type Io, text, texts, UsageError, type Values } from "../command.ts";
import { bar, createProgress, print, printJson, toJson } from "../layout.ts";
import { checkWritable, textIo, writeFileAtomically, writeOutput } from "../output-file.ts";
import { findBaseFolder, readInventory, readMappingFile } from "../ready/files.ts";
import { renderSarif } from "../sarif.ts";
import { sarif } from "../shared-options.ts";
import { findChanges, updateInventory } from "./inventory.ts";
import {
  type Changes,
  describeLinks,
  describeMissing,
  describeUnfollowed,
  renderNew,
  renderScan,
  summariseScan,
} from "./text.ts";

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

/** `https://gateway.example.com/` is accepted as a host too. */
function readAddresses({ host, "base-path": basePaths }: ScanValues): Addresses {
  const hosts = host.map((one) => one.replace(/^https?:\/\//, "").replace(/[/:].*$/, ""));
  if (hosts.some((one) => !/^[\w.-]+$/.test(one)))
    throw new UsageError("--host takes the name of a host, such as api.example.com");
  return { hosts, basePaths };
}

const ids = (uses: readonly { id: string }[]) => uses.map(({ id }) => id);

const scanJson = (found: Scan, plan: Plan | undefined, changes: Changes | undefined): ScanOutput => ({
  schema: "v1watch/scan/1",
  ...found,
  summary: summariseScan(found),
  plan,
  new: changes && ids(changes.added),
  gone: changes && ids(changes.gone),
});

/** The part of a scan that the inventory does not have. */
function onlyNew(found: Scan, { added, unsure }: Changes): Scan {
  const isNew = (mention: { file: string; line: number }) =>
    unsure.some(({ file, line }) => file === mention.file && line === mention.line);
  return { ...found, uses: added, notCounted: found.notCounted.filter(isNew) };
}

async function runScan(
  folders: readonly Folder[],
  { addresses, successor }: { addresses: Addresses; successor: SuccessorNames | undefined },
  io: Io,
): Promise<Scan | undefined> {
  const progress = createProgress(io);
  const scan = await scanGuarded(folders, {
    addresses,
    successor,
    signal: io.signal,
    onProgress({ done, total, lines }) {
      const share = total === 0 ? 1 : done / total;
      progress.draw(`${bar(share)} ${Math.floor(share * 100)} %  ${plural(lines, "line")}`);
    },
  }).catch((error: unknown) => {
    if (error instanceof EndlessScan) throw new UsageError(describeEndless(error));
    if (!(error instanceof MissingParser)) throw error;
    throw new UsageError(
      "scan needs packages that are not installed. Install v1watch without --omit=optional, or add them: npm install @ast-grep/napi @ast-grep/lang-python @ast-grep/lang-go",
    );
  });
  progress.clear();
  return scan;
}

const describeEndless = ({ files }: EndlessScan) =>
  `the scan does not end.${files.length === 0 ? "" : ` It was stopped at ${files.map(printable).join(", ")}.`} Name smaller folders, or leave such files out with a .gitignore.`;

const options = {
  host: texts("<HOST>", "a host at which your code reaches V1, such as a gateway (repeatable)"),
  "base-path": texts(
    "<PATH>",
    "a path before V1's resources other than /api/v1, such as /reputation (repeatable)",
  ),
  mapping: text(
    "<FILE>",
    "show what each line becomes in V2 (default v1watch.mapping.json, if there is one)",
  ),
  json: flag("print only the scan, as JSON"),
  sarif: sarif("for code hosts and editors"),
  inventory: text(
    "<FILE>",
    "store the uses in a file that your team edits: owner, status (v1, dual, v2), exception with expiry and reason. A new scan keeps these edits and marks uses that are gone from the scanned folders; uses in other folders are not changed.",
  ),
  new: flag(
    "compare with the inventory without writing it: exit with 1 only for uses, and for places that the scan is not sure about, that are not in it, and list the uses that are gone. --sarif then has only what is new.",
  ),
};
type ScanValues = Values<typeof options>;

export const scan = defineCommand({
  description:
    "Finds the uses of V1 in source trees: calls to its paths, fields read from its responses, error handling that makes a retired V1 look like \"score 0\", and numbers that V1 returns as strings. It parses TypeScript, JavaScript, Python and Go, also in components and notebooks, and searches other languages for V1's paths and field names. It says why it found each use. If code reads V1's fields but the address is elsewhere, it asks. It lists uses in tests and V1's paths in other places, such as the code's own routes, but does not count them. It honours .gitignore, sends nothing and prints no source text. File names are relative to the current folder, or to the folder of the inventory if that is a parent folder.",
  arguments: [new Argument("[dir...]", "the folders to scan")],
  options,
  notes: [
    "Exit codes: 0 V1 is not used (with --new: nothing new), 1 V1 is used or the scan is not sure (with --new: a new use or a new doubt), 2 usage error, or a folder in which nothing could be read, 3 interrupted.",
    "Example:\n  v1watch scan src --inventory v1watch.inventory.json --sarif v1watch.sarif",
  ],
  async run(values, positionals, io) {
    if (positionals.length === 0) throw new UsageError("scan needs a DIR. Try: v1watch scan .");
    const { inventory: inventoryFile, sarif: sarifFile } = values;
    const textOut = textIo(io, inventoryFile, sarifFile);
    if (values.new && inventoryFile === undefined) throw new UsageError("--new needs --inventory FILE");
    const folders = await resolveFolders(positionals, findBaseFolder(inventoryFile));
    for (const file of [values.new ? undefined : inventoryFile, sarifFile])
      if (file !== undefined) await checkWritable(file);
    // The inventory is read first, so that no scan is wasted on an invalid file.
    const before =
      inventoryFile === undefined
        ? undefined
        : await readInventory(inventoryFile, { mayBeMissing: true, remedy: "It was not changed." });
    if (values.new && !before)
      throw new UsageError(
        `there is no inventory "${printable(inventoryFile!)}". Write it once with \`v1watch scan DIR… --inventory ${printable(inventoryFile!)}\`.`,
      );
    const mapping = await readMappingFile(values.mapping);
    const found = await runScan(
      folders,
      { addresses: readAddresses(values), successor: mapping && listSuccessorNames(mapping.parsed) },
      io,
    );
    if (!found) {
      io.err("v1watch: the scan was interrupted; no files were written\n");
      return exitCodes.internalError;
    }
    const unread = found.folders.find(({ files }) => files === 0);
    if (unread)
      throw new UsageError(
        `nothing was read in "${printable(unread.name || ".")}": is this the right folder?${describeMissing(found.missing)}${describeLinks(found.links)}${describeUnfollowed(found.unfollowed)}`,
      );
    const plan =
      mapping &&
      buildPlan(found.uses, mapping.parsed, {
        isStarter: false,
        today: dayText(Date.now()),
        addresses: found.addresses,
      });
    const changes = before && values.new ? findChanges(before, found) : undefined;
    if (values.json) printJson(textOut, scanJson(found, plan, changes));
    else
      print(
        textOut,
        changes ? renderNew(changes, inventoryFile!, before!.scannedOn) : renderScan(found, plan),
      );
    if (sarifFile !== undefined) {
      const shown = changes ? onlyNew(found, changes) : found;
      await writeOutput(sarifFile, toJson(renderSarif(shown, plan)), io);
    }
    if (changes)
      return changes.added.length + changes.unsure.length > 0 ? exitCodes.findings : exitCodes.success;
    const { questions, links, missing, notCounted, unfollowed } = found;
    let open = questions.length + links.length + missing.length + notCounted.length + unfollowed.length;
    if (inventoryFile !== undefined) {
      const { json, summary, unreviewed } = updateInventory(inventoryFile, before, found);
      open = unreviewed;
      // The write is atomic because the file contains text that people have written.
      if (inventoryFile === "-") io.out(json);
      else await writeFileAtomically(inventoryFile, json);
      if (!values.json) print(textOut, summary);
    }
    return found.uses.length + open === 0 ? exitCodes.success : exitCodes.findings;
  },
});
