import { existsSync, statSync } from "node:fs";
import { exitCodes, type Run, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { openStoreForReading } from "./open-watch.ts";
import { checkWritable } from "./output-file.ts";

export const backup: Run = async (values, [file = ""], io) => {
  if (file === "-") throw new UsageError("a copy of the store is a database. Name a file, not -");
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
  print(io, `Copied ${path} to ${file} (${size} MiB).\n`);
  return exitCodes.success;
};
