// v1watch store: the records of a watch as JSON Lines, and a copy of its store.

import { once } from "node:events";
import { createWriteStream, existsSync, statSync } from "node:fs";
import { Argument } from "commander";
import { exportLines } from "../local/store/jsonl.ts";
import { plural } from "../text.ts";
import { defineCommand, exitCodes, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { loadOfflineConfig } from "./load-config.ts";
import { withStore, withWatch } from "./open-watch.ts";
import { checkWritable, explainWriteFailure } from "./output-file.ts";
import { config, store as storeFile, watchOptions } from "./shared-options.ts";

const exportRecords = defineCommand({
  summary: "write all records as JSON Lines",
  description:
    "Writes every observation, decision and alert as one line of JSON, also while the watch is running. A table in AWS keeps no sent alerts. The export leaves out what was derived from deleted observations; `v1watch store backup` includes it.",
  arguments: [new Argument("[file]", "the file to write; - or none is standard output")],
  options: watchOptions,
  notes: ["Example: v1watch store export history.jsonl"],
  run: (values, [file = "-"], io) =>
    withWatch(values, io, async ({ name, ledger, store }) => {
      const lines = exportLines(store ?? { ledger });
      if (file === "-") for await (const line of lines) io.out(`${line}\n`);
      else {
        const written = await writeLines(file, lines);
        print(io, `Exported ${plural(written, "record")} from ${name} to ${file}.\n`);
      }
      return exitCodes.success;
    }),
});

const alreadyThere = (file: string) =>
  new UsageError(`${file} already exists and is not overwritten. Choose another file`);

async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  const stream = createWriteStream(file, { flags: "wx" });
  const failed = once(stream, "error").then(([error]) => {
    throw (error as NodeJS.ErrnoException).code === "EEXIST"
      ? alreadyThere(file)
      : explainWriteFailure(file, error);
  });
  let written = 0;
  const write = async () => {
    for await (const line of lines) {
      written += 1;
      if (!stream.write(`${line}\n`)) await once(stream, "drain");
    }
    stream.end();
    await once(stream, "finish");
  };
  await Promise.race([write(), failed]);
  return written;
}

const backup = defineCommand({
  summary: "copy the store, also while the watch is running",
  description:
    "Writes a consistent copy of the store, also while the watch is running. To restore it, stop the watch and replace the store file with the copy.",
  arguments: [new Argument("<file>", "the file to write")],
  options: { store: storeFile, config },
  notes: ["Example: v1watch store backup watch-2026-11-15.db"],
  async run(values, [file = ""], io) {
    if (file === "-") throw new UsageError("a copy of the store is a database. Name a file, not -");
    if (existsSync(file)) throw alreadyThere(file);
    await checkWritable(file);
    const { store: path } = (await loadOfflineConfig(values, io)).config;
    await withStore(path, (store) =>
      store.backUp(file).catch((error: NodeJS.ErrnoException) => {
        throw new UsageError(`cannot write ${file}: ${error.code ?? error.message}`);
      }),
    );
    const size = (statSync(file).size / 2 ** 20).toFixed(1);
    print(io, `Copied ${path} to ${file} (${size} MiB).\n`);
    return exitCodes.success;
  },
});

export const store = defineCommand({
  description: "The records of a watch: observations, decisions and alerts.",
  notes: ["Example: v1watch store export history.jsonl"],
  commands: { export: exportRecords, backup },
});
