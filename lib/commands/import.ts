// v1watch import: lines of JSON into a store, judged again, and nobody is told anew.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { count, plural } from "../assess/alerts/text.ts";
import { assess } from "../assess/assess.ts";
import { assessmentSettings } from "../config/config.ts";
import { importLines } from "../local/store/jsonl.ts";
import type { Store } from "../local/store/store.ts";
import type { Outbox, OutboxMessage } from "../ports.ts";
import { type Command, exitCodes, UsageError } from "./command.ts";
import { openOwnStore, readStoreConfig } from "./open-watch.ts";

export const importCommand: Command = {
  name: "import",
  summary: "read what `export` wrote",
  help: `v1watch import FILE [options]

Reads records as lines of JSON, from FILE or, where it is -, from standard input. Known ones change nothing, so it may
be repeated. What they say is judged again; nobody is told of it a second time. The watch has to be stopped meanwhile;
what it had still to tell, it tells when it goes on.

  --store FILE    another store than .v1watch/watch.db (environment: V1WATCH_STORE)
  --config FILE   another file than v1watch.config.json

Exit codes: 0 all taken, 1 some lines are no records.

Example: v1watch import history.jsonl --store new.db
`,
  options: { store: { type: "string" }, config: { type: "string" } },
  positionals: { max: 1 },
  async run(values, [file], io) {
    if (file === undefined) throw new UsageError("name the file to import, or - for standard input");
    const input = file === "-" ? Readable.from([await io.stdin()]) : createReadStream(file);
    const opened = new Promise<void>((resolve, reject) => {
      input.once("error", (error: NodeJS.ErrnoException) =>
        reject(
          new UsageError(
            error.code === "ENOENT"
              ? `there is no file ${file}. Name one that \`v1watch export\` wrote`
              : error.code === "EISDIR"
                ? `${file} is a folder. Name a file that \`v1watch export\` wrote`
                : `cannot read ${file}: ${error.code}`,
          ),
        ),
      );
      input.once("readable", resolve);
    });
    await opened;
    const config = await readStoreConfig(values, io);
    const store = openOwnStore(config.store, io);
    try {
      const done = await importQuietly(store, assessmentSettings(config), () =>
        importLines(store, createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })),
      );
      const taken = [
        plural(done.observations, "observation is new", "observations are new"),
        plural(done.known, "was known", "were known"),
        plural(done.tooOld, "is too old", "are too old"),
      ].join(", ");
      io.out(
        `${taken}; ${plural(done.decisions, "decision")} and ${plural(done.alerts, "alert")} were read.\n`,
      );
      if (done.refusedCount === 0) return exitCodes.fine;
      const lines = done.refused.join(", ");
      io.err(
        done.refusedCount === 1
          ? `v1watch: line ${lines} is no record of ours\n`
          : `v1watch: ${count(done.refusedCount)} lines are no records of ours, the first at ${lines}\n`,
      );
      return exitCodes.findings;
    } finally {
      store.close();
    }
  },
};

/**
 * What is imported is judged as always and told to nobody: what is old news stays old. What the store had
 * to tell without it waits on for the watch. All at one instant, so that nothing falls due in between.
 */
async function importQuietly<T>(
  store: Store,
  settings: ReturnType<typeof assessmentSettings>,
  takeAll: () => Promise<T>,
): Promise<T> {
  const atMs = Date.now();
  await judge(store, settings, atMs);
  const waiting = new Set((await listPending(store)).map(({ id }) => id));
  const done = await takeAll();
  await judge(store, settings, atMs);
  for (const message of await listPending(store))
    if (!waiting.has(message.id)) await store.outbox.markDelivered(message);
  return done;
}

/** Whatever is to be told stays in the outbox. */
async function judge(
  { ledger, outbox }: Store,
  settings: ReturnType<typeof assessmentSettings>,
  atMs: number,
): Promise<void> {
  const delivery = { alert: async () => {}, metrics: async () => {} };
  const unsent: Outbox = { ...outbox, pending: async () => [] };
  const readKey = async () => ({ kind: "none" as const });
  await assess({ nowMs: () => atMs, readKey, ledger, outbox: unsent, delivery }, settings);
}

const listPending = async ({ outbox }: Store): Promise<OutboxMessage[]> => [
  ...(await outbox.pending("alert", Number.MAX_SAFE_INTEGER)),
  ...(await outbox.pending("metrics", Number.MAX_SAFE_INTEGER)),
];
