// v1watch store export: writes the records of a watch as JSON Lines.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { exportLines } from "../local/store/jsonl.ts";
import { exitCodes, type Run, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { loadConfigForReading, openSource } from "./open-watch.ts";
import { explainWriteFailure } from "./output-file.ts";

export const exportRecords: Run = async (values, [file], io) => {
  const config = await loadConfigForReading(values, io);
  return openSource(values, io, config, async (source) => {
    if (source.kind === "unavailable") throw new UsageError(source.reason);
    const lines = exportLines(source.kind === "table" ? source.table : source.store);
    if (file === undefined || file === "-") {
      for await (const line of lines) io.out(`${line}\n`);
      return exitCodes.success;
    }
    const written = await writeLines(file, lines);
    print(io, `Exported ${written.toLocaleString("en-US")} records from ${source.name} to ${file}.\n`);
    return exitCodes.success;
  });
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
