// v1watch export, import and backup: the records of a watch as JSON Lines, and copies of its store.

import { once } from "node:events";
import { createReadStream, createWriteStream, existsSync, statSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import { Readable } from "node:stream";
import { assess } from "../assess/assess.ts";
import { assessmentSettings } from "../config/config.ts";
import { exportLines, importLines, parseRecord } from "../local/store/jsonl.ts";
import type { Store } from "../local/store/store.ts";
import type { OutboxMessage } from "../ports.ts";
import { formatCount, plural } from "../text.ts";
import { type Command, exitCodes, UsageError } from "./command.ts";
import {
  loadConfigForReading,
  loadStoreConfig,
  openSource,
  openStoreForReading,
  openStoreForWriting,
  storeHelp,
  storeOptions,
} from "./open-watch.ts";
import { checkWritable, explainWriteFailure } from "./output-file.ts";

const { json: _, ...stores } = storeOptions;

export const exportCommand: Command = {
  name: "export",
  summary: "write all records as JSON Lines",
  help: `v1watch export [FILE] [options]

Writes every observation, decision and alert as one line of JSON to FILE or to standard output, also while the watch
is running. A table in AWS keeps no sent alerts. State derived from pruned observations is not exported; \`v1watch backup\` includes it.

${storeHelp.split("\n").slice(0, 3).join("\n")}

Example: v1watch export history.jsonl
`,
  options: stores,
  positionals: { max: 1 },
  async run(values, [file], io) {
    const config = await loadConfigForReading(values, io);
    return openSource(values, io, config, async (source) => {
      if (source.kind === "unavailable") throw new UsageError(source.reason);
      const lines = exportLines(source.kind === "table" ? source.table : source.store);
      if (file === undefined) {
        for await (const line of lines) io.out(`${line}\n`);
        return exitCodes.success;
      }
      const written = await writeLines(file, lines);
      io.out(`Exported ${written.toLocaleString("en-US")} records from ${source.name} to ${file}.\n`);
      return exitCodes.success;
    });
  },
};

async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  const stream = createWriteStream(file, { flags: "wx" });
  const failed = once(stream, "error").then(([error]) => {
    throw (error as NodeJS.ErrnoException).code === "EEXIST"
      ? new UsageError(`${file} already exists and is not overwritten. Choose another file`)
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

// v1watch import: reads JSON Lines into a store and reassesses it without sending notifications for imported data.
export const importCommand: Command = {
  name: "import",
  summary: "read the records that `export` wrote",
  help: `v1watch import FILE [options]

Reads records as JSON Lines from FILE or, with FILE -, from standard input. Records that already exist are skipped,
so an import can be repeated. The imported records are assessed, but no notifications are sent for them. Stop the
watch before an import; it delivers its own pending notifications after the restart.

  --store FILE    store file (default .v1watch/watch.db; environment: V1WATCH_STORE)
  --config FILE   configuration file (default v1watch.config.json)

Exit codes: 0 all lines are valid records, 1 some lines are not, 2 usage error.

Example: v1watch import history.jsonl --store new.db
`,
  options: { store: { type: "string" }, config: { type: "string" } },
  positionals: { max: 1 },
  async run(values, [file], io) {
    if (file === undefined) throw new UsageError("import needs a FILE, or - for standard input");
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
    const config = await loadStoreConfig(values, io);
    const store = openStoreForWriting(config.store, io);
    try {
      const result = await importWithoutNotifications(store, assessmentSettings(config), () =>
        importLines(store, openLines()),
      );
      io.out(
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
};

async function hasRecord(lines: Interface, file: string): Promise<boolean> {
  try {
    for await (const line of lines) if (parseRecord(line)) return true;
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === "ENOENT"
        ? `there is no file ${file}. Choose a file that \`v1watch export\` wrote`
        : code === "EISDIR"
          ? `${file} is a folder. Choose a file that \`v1watch export\` wrote`
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
  const pendingBefore = new Set(listPending(store).map(({ id }) => id));
  const result = await importAll();
  await assessWithoutDelivery(store, settings, atMs);
  for (const message of listPending(store))
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

const listPending = ({ outbox }: Store): OutboxMessage[] => [
  ...outbox.waiting("alert"),
  ...outbox.waiting("metrics"),
];

// v1watch backup: writes a consistent copy of the store, also while the watch is running.
export const backup: Command = {
  name: "backup",
  summary: "copy the store, also while the watch is running",
  help: `v1watch backup FILE [options]

Writes a consistent copy of the store to FILE, also while the watch is running. To restore it, stop the watch and
replace the store file with the copy.

  --store FILE    store file (default .v1watch/watch.db; environment: V1WATCH_STORE)
  --config FILE   configuration file (default v1watch.config.json)

Example: v1watch backup watch-2026-11-15.db
`,
  options: { store: { type: "string" }, config: { type: "string" } },
  positionals: { max: 1 },
  async run(values, [file], io) {
    if (file === undefined) throw new UsageError("backup needs a FILE to write the copy to");
    if (existsSync(file))
      throw new UsageError(`${file} already exists and is not overwritten. Choose another file`);
    await checkWritable(file);
    const { store, path } = await openStoreForReading(values, io);
    try {
      await store.backUp(file);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new UsageError(`cannot write ${file}: ${code ?? message}`);
    } finally {
      store.close();
    }
    const size = (statSync(file).size / 2 ** 20).toFixed(1);
    io.out(`Copied ${path} to ${file} (${size} MiB).\n`);
    return exitCodes.success;
  },
};
