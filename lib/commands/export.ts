// v1watch export: writes the records of a watch as JSON Lines.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { exportLines } from "../local/store/jsonl.ts";
import { type Command, exitCodes, UsageError } from "./command.ts";
import { loadConfigForReading, openSource, storeHelp, storeOptions } from "./open-watch.ts";
import { explainWriteFailure } from "./output-file.ts";

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
