// v1watch export: writes the records of the store as JSON Lines, also while the watch is running.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { exportLines } from "../local/store/jsonl.ts";
import { type Command, exitCodes, UsageError } from "./command.ts";
import { openStoreForReading } from "./open-watch.ts";
import { explainWriteFailure } from "./output-file.ts";

export const exportCommand: Command = {
  name: "export",
  summary: "write all records as JSON Lines",
  help: `v1watch export [FILE] [options]

Writes every observation, decision and alert as one line of JSON to FILE or to standard output, also while the watch
is running. State derived from pruned observations is not exported; \`v1watch backup\` includes it.

  --store FILE    store file (default .v1watch/watch.db; environment: V1WATCH_STORE)
  --config FILE   configuration file (default v1watch.config.json)

Example: v1watch export history.jsonl
`,
  options: { store: { type: "string" }, config: { type: "string" } },
  positionals: { max: 1 },
  async run(values, [file], io) {
    const { store, path } = await openStoreForReading(values, io);
    let lines = 0;
    try {
      if (file === undefined) {
        for await (const line of exportLines(store)) io.out(`${line}\n`);
        return exitCodes.success;
      }
      const stream = createWriteStream(file, { flags: "wx" });
      const failed = once(stream, "error").then(([error]) => {
        throw (error as NodeJS.ErrnoException).code === "EEXIST"
          ? new UsageError(`${file} already exists and is not overwritten. Choose another file`)
          : explainWriteFailure(file, error);
      });
      const write = async () => {
        for await (const line of exportLines(store)) {
          lines += 1;
          if (!stream.write(`${line}\n`)) await once(stream, "drain");
        }
        stream.end();
        await once(stream, "finish");
      };
      await Promise.race([write(), failed]);
      io.out(`Exported ${lines.toLocaleString("en-US")} records from ${path} to ${file}.\n`);
      return exitCodes.success;
    } finally {
      store.close();
    }
  },
};
