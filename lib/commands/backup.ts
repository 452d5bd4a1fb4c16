// v1watch backup: a consistent copy of the store while the watch goes on.
import { existsSync, statSync } from "node:fs";
import { type Command, exitCodes, UsageError } from "./command.ts";
import { openStoreForReading } from "./open-watch.ts";
import { checkWritable } from "./output-file.ts";

export const backup: Command = {
  name: "backup",
  summary: "copy the store while the watch goes on",
  help: `v1watch backup FILE [options]

Writes a consistent copy of the store to FILE; the watch may go on meanwhile. To restore it, stop the watch and put the
copy in the store's place.

  --store FILE    another store than .v1watch/watch.db (environment: V1WATCH_STORE)
  --config FILE   another file than v1watch.config.json

Example: v1watch backup watch-2026-11-15.db
`,
  options: { store: { type: "string" }, config: { type: "string" } },
  positionals: { max: 1 },
  async run(values, [file], io) {
    if (file === undefined) throw new UsageError("name the file to write the copy to");
    if (existsSync(file))
      throw new UsageError(`${file} is there already, and is not overwritten. Name another file`);
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
    io.out(`${file} is a copy of ${path}, ${size} MiB.\n`);
    return exitCodes.fine;
  },
};
