// v1watch export: what the store remembers, as lines of JSON; the watch may go on meanwhile.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { exportLines } from "../local/store/jsonl.ts";
import { type Command, exitCodes, UsageError } from "./command.ts";
import { openStoreForReading } from "./open-watch.ts";
import { cannotWrite } from "./output-file.ts";

export const exportCommand: Command = {
  name: "export",
  summary: "write what is remembered as lines of JSON",
  help: `v1watch export [FILE] [options]

Writes every observation, decision and alert as a line of JSON, to FILE or to standard output.
The watch may go on meanwhile. What was learned from forgotten observations is in a backup, not in an export.

  --store FILE    another store than .v1watch/watch.db (environment: V1WATCH_STORE)
  --config FILE   another file than v1watch.config.json

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
        return exitCodes.fine;
      }
      const stream = createWriteStream(file, { flags: "wx" });
      const failed = once(stream, "error").then(([error]) => {
        throw (error as NodeJS.ErrnoException).code === "EEXIST"
          ? new UsageError(`${file} is there already, and is not overwritten. Name another file`)
          : cannotWrite(file, error);
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
      io.out(`${lines.toLocaleString("en-US")} records of ${path} are in ${file}.\n`);
      return exitCodes.fine;
    } finally {
      store.close();
    }
  },
};
