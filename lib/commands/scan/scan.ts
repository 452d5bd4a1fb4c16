// v1watch scan: who uses V1 in these source trees, and what of it.
import { stat } from "node:fs/promises";
import { dirname, relative, resolve, sep } from "node:path";
import { plural } from "../../assess/alerts/text.ts";
import { inventoryJsonSchema } from "../../records/inventory.ts";
import { type Folder, type Scan, type ScanProgress, scanConsumers } from "../../scan/index.ts";
import { type Command, exitCodes, type Io, UsageError } from "../command.ts";
import { checkWritable, writeText } from "../output-file.ts";
import { renderSarif } from "../sarif.ts";
import { keepInventory, readInventory } from "./inventory.ts";
import { printable, renderScan, summariseScan } from "./text.ts";

const help = `v1watch scan DIR… [--json] [--sarif FILE] [--inventory FILE] [--schema]

Finds who uses V1 in source trees: calls to its paths, the fields that are read from its answers, error
handling that would make a retired V1 look like "score 0", and numbers that are strings. TypeScript,
JavaScript, Python and Go by their syntax; other text with a lower confidence, which is said.
What only tests do is listed apart and is no use: they ask a stand-in.
.gitignore is honoured; nothing is sent anywhere, and no source text is printed. Files are named from here, or from
the inventory's folder where that is above.

  --json             the whole scan as JSON and nothing else
  --sarif FILE       SARIF 2.1.0 beside the text, for code hosts and editors
  --inventory FILE   keep the uses in a file that your team edits: owner, status (v1, dual, v2), exception
                     with expiry and reason. A new scan keeps what people wrote and marks what is gone
                     from the folders it was given; uses of other folders stay as they are.
  --schema           print the JSON Schema of that file, for editors, and scan nothing

Exit codes: 0 no use of V1, 1 V1 is used, 2 usage.

Example:
  v1watch scan src --inventory v1watch.inventory.json --sarif v1watch.sarif
`;

/** Where names begin: at the inventory, for whoever works in a folder below it, and otherwise here. */
function findHome(inventoryFile: string | undefined): string {
  const [here, home] = [process.cwd(), inventoryFile && dirname(resolve(inventoryFile))];
  return home && !relative(home, here).startsWith("..") ? home : here;
}

/** `../app` too: under a name that two share, or that the others change, a team's words are lost. */
async function nameFolders(names: readonly string[], home: string): Promise<Folder[]> {
  return Promise.all(
    names.map(async (name) => {
      const found = await stat(name).catch(() => undefined);
      if (!found) throw new UsageError(`there is no folder "${printable(name)}"`);
      if (!found.isDirectory()) throw new UsageError(`"${printable(name)}" is a file; scan takes folders`);
      return { root: resolve(name), as: relative(home, resolve(name)).split(sep).join("/") };
    }),
  );
}

const barWidth = 24;

function drawBar({ done, total, lines }: ScanProgress): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.round(share * barWidth);
  return `${"█".repeat(filled)}${"░".repeat(barWidth - filled)} ${Math.floor(share * 100)} %  ${plural(lines, "line")}`;
}

const asText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

async function runScan(folders: readonly Folder[], io: Io): Promise<Scan | undefined> {
  const clear = () => io.isTerminal && io.err("\r\u001b[K");
  const scan = await scanConsumers(folders, {
    signal: io.signal,
    onProgress: (progress) => io.isTerminal && io.err(`\r\u001b[K${drawBar(progress)}`),
  });
  clear();
  return scan;
}

export const scan: Command = {
  name: "scan",
  summary: "find who uses V1 in source trees, and what of it",
  help,
  options: {
    json: { type: "boolean" },
    sarif: { type: "string" },
    inventory: { type: "string" },
    schema: { type: "boolean" },
  },
  positionals: { max: 100 },
  async run(values, positionals, io) {
    if (values.schema) {
      io.out(asText(inventoryJsonSchema()));
      return exitCodes.fine;
    }
    if (positionals.length === 0) throw new UsageError("scan needs a DIR. Try: v1watch scan .");
    const { inventory: inventoryFile, sarif: sarifFile } = values as { inventory?: string; sarif?: string };
    const folders = await nameFolders(positionals, findHome(inventoryFile));
    for (const file of [inventoryFile, sarifFile]) if (file !== undefined) await checkWritable(file);
    // Read before the work: a broken file should not cost a scan.
    const before = inventoryFile === undefined ? undefined : await readInventory(inventoryFile);
    const found = await runScan(folders, io);
    if (!found) {
      io.err("v1watch: stopped before the end; nothing was written\n");
      return exitCodes.fault;
    }
    if (values.json) {
      io.out(asText({ schema: "v1watch/scan/1", ...found, summary: summariseScan(found) }));
    } else io.out(renderScan(found));
    if (sarifFile !== undefined) await writeText(sarifFile, asText(renderSarif(found)));
    if (inventoryFile !== undefined) {
      const told = await keepInventory(inventoryFile, before, found);
      if (!values.json) io.out(told);
    }
    return found.uses.length > 0 ? exitCodes.findings : exitCodes.fine;
  },
};
