// v1watch store: the records of a watch as JSON Lines, out and in, and a copy of its store.

import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync, statSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import { Readable } from "node:stream";
import { Argument } from "commander";
import { assess } from "../assess/assess.ts";
import { assessmentSettings } from "../config/assessment-settings.ts";
import { exportLines, importLines, parseRecord } from "../local/store/jsonl.ts";
import type { Store } from "../local/store/store.ts";
import { formatCount, plural } from "../text.ts";
import { defineCommand, exitCodes, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { loadOfflineConfig } from "./load-config.ts";
import { openStoreForWriting, withStore, withWatch } from "./open-watch.ts";
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

const importRecords = defineCommand({
  summary: "read the records that `store export` wrote",
  description:
    "Reads records as JSON Lines. It skips records that exist, so you can repeat an import. It assesses the new records and sends no notifications for them. Stop the watch first; when it starts again, it sends the notifications that it still owes.",
  arguments: [new Argument("<file>", "the file to read; - is standard input")],
  options: { store: storeFile, config },
  notes: [
    "Exit codes: 0 all lines are valid records, 1 some lines are not, 2 usage error.",
    "Example: v1watch store import history.jsonl --store new.db",
  ],
  async run(values, [file = ""], io) {
    const bytes = file === "-" ? await io.stdin() : undefined;
    const openLines = () =>
      createInterface({
        input: bytes ? Readable.from([bytes]) : createReadStream(file),
        crlfDelay: Number.POSITIVE_INFINITY,
      });
    // Before the store is created: a file without a record leaves nothing behind.
    if (!(await hasRecord(openLines(), file))) {
      io.err(
        `v1watch: no line of ${file === "-" ? "standard input" : file} is a v1watch record. Nothing was imported\n`,
      );
      return exitCodes.findings;
    }
    const loaded = await loadOfflineConfig(values, io);
    const store = openStoreForWriting(loaded.config.store, io);
    try {
      const settings = assessmentSettings(loaded.config);
      const result = await importWithoutNotifications(store, settings, () => importLines(store, openLines()));
      print(
        io,
        `Imported ${plural(result.observations, "observation")}, ${plural(result.decisions, "decision")} and ${plural(result.alerts, "alert")}. Skipped ${plural(result.known, "existing observation")} and ${formatCount(result.tooOld)} older than the retention period.\n`,
      );
      if (result.refusedCount === 0) return exitCodes.success;
      const lines = result.refused.join(", ");
      io.err(
        result.refusedCount === 1
          ? `v1watch: line ${lines} is not a v1watch record\n`
          : `v1watch: ${formatCount(result.refusedCount)} lines are not v1watch records, first lines: ${lines}\n`,
      );
      return exitCodes.findings;
    } finally {
      store.close();
    }
  },
});

async function hasRecord(lines: Interface, file: string): Promise<boolean> {
  try {
    for await (const line of lines) if (parseRecord(line)) return true;
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === "ENOENT"
        ? `there is no file ${file}. Choose a file that \`v1watch store export\` wrote`
        : code === "EISDIR"
          ? `${file} is a folder. Choose a file that \`v1watch store export\` wrote`
          : `cannot read ${file}: ${code}`,
    );
  } finally {
    lines.close();
  }
}

/**
 * Assesses the imported records and marks the resulting messages as delivered. Messages that the store would have sent
 * without the import stay pending. Both assessments use the same instant, so that nothing becomes due in between.
 */
async function importWithoutNotifications<T>(
  store: Store,
  settings: ReturnType<typeof assessmentSettings>,
  importAll: () => Promise<T>,
): Promise<T> {
  const atMs = Date.now();
  await assessWithoutDelivery(store, settings, atMs);
  const pendingBefore = new Set(store.outbox.waiting().map(({ id }) => id));
  const result = await importAll();
  await assessWithoutDelivery(store, settings, atMs);
  for (const message of store.outbox.waiting())
    if (!pendingBefore.has(message.id)) await store.outbox.discard(message);
  return result;
}

/** New messages stay in the outbox. */
async function assessWithoutDelivery(
  { ledger, outbox }: Store,
  settings: ReturnType<typeof assessmentSettings>,
  atMs: number,
): Promise<void> {
  const readKey = async () => ({ kind: "none" as const });
  await assess({ nowMs: () => atMs, readKey, ledger, outbox, receivers: [] }, settings);
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
  commands: { export: exportRecords, import: importRecords, backup },
});
