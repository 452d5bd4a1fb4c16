// Creates the folder of a file.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** One level at a time, because `recursive: true` never returns for a path below /proc. */
export function makeFolder(path: string, mode = 0o777): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
    // Whoever runs v1watch in a repository of their own finds it unchanged.
    if (basename(path) === ".v1watch") writeFileSync(join(path, ".gitignore"), "*\n");
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
