import { existsSync, statSync } from "node:fs";
import { type Command, exitCodes, UsageError } from "./command.ts";
import { openStoreForReading } from "./open-watch.ts";
import { checkWritable } from "./output-file.ts";

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
