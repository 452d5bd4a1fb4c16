// v1watch store import: reads JSON Lines into a store and reassesses it without sending notifications for imported data.

import { createReadStream } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import { Readable } from "node:stream";
import { assess } from "../assess/assess.ts";
import { assessmentSettings } from "../config/assessment-settings.ts";
import { importLines, parseRecord } from "../local/store/jsonl.ts";
import type { Store } from "../local/store/store.ts";
import type { OutboxMessage } from "../ports.ts";
import { formatCount, plural } from "../text.ts";
import { exitCodes, type Run, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { loadConfigForReading, openStoreForWriting } from "./open-watch.ts";

export const importRecords: Run = async (values, [file = ""], io) => {
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
  const config = await loadConfigForReading(values, io);
  const store = openStoreForWriting(config.store, io);
  try {
    const result = await importWithoutNotifications(store, assessmentSettings(config), () =>
      importLines(store, openLines()),
    );
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
};

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

const listPending = ({ outbox }: Store): OutboxMessage[] => outbox.waiting();
