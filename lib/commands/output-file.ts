// Writes the output files of commands. A failure is reported with a remedy, if possible before the work starts.
import { existsSync } from "node:fs";
import { access, constants, lstat, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { printable } from "../config/config.ts";
import { type Io, UsageError } from "./command.ts";

const remedies: Record<string, string> = {
  ENOENT: "its folder does not exist. Create the folder first",
  "no-folder": "nothing can be created in its folder. Choose another path",
  ENOTDIR: "a part of its path is not a folder. Choose another path",
  // mkdir reports this code if a file has the name of the folder.
  EEXIST: "a part of its path is not a folder. Choose another path",
  EISDIR: "it is a folder. Choose a file in it",
  EACCES: "permission denied. Choose another path",
  EPERM: "permission denied. Choose another path",
  EROFS: "the file system is read-only. Choose another path",
  ENOSPC: "the disk is full. Free some space",
};

export function explainWriteFailure(file: string, error: unknown): UsageError {
  const { code: given = "unknown cause" } = error as NodeJS.ErrnoException;
  // Where its folder is there, the file system has no files of ours, as /proc.
  const code = given === "ENOENT" && existsSync(dirname(file)) ? "no-folder" : given;
  return new UsageError(`cannot write "${printable(file)}": ${remedies[code] ?? code}`);
}

/** Called before a scan or a request is made, so that neither is wasted on output that cannot be written. */
export async function checkWritable(file: string): Promise<void> {
  if (file === standardOutput) return;
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isDirectory()) throw explainWriteFailure(file, { code: "EISDIR" });
  try {
    // The trailing "/." makes access() fail if the parent is a file.
    await access(existing ? file : `${dirname(file)}/.`, constants.W_OK);
  } catch (error) {
    throw explainWriteFailure(file, error);
  }
}

/** A link that leads out of the folder of a file would have another file overwritten. */
export async function refuseLinkOutside(file: string): Promise<void> {
  const isLink = await lstat(file).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  if (!isLink) return;
  const folder = await realpath(dirname(file));
  const target = await realpath(file).catch(() => undefined);
  if (target === undefined || relative(folder, target).startsWith(".."))
    throw new UsageError(
      `cannot write "${printable(file)}": it is a link that leads out of its folder. Remove the link, or choose another path`,
    );
}

/** `-` is standard output, wherever a file is written. */
const standardOutput = "-";

/** Text for people goes to standard error where a file goes to standard output. */
export function textIo(io: Io, ...files: unknown[]): Io {
  const printed = files.filter((file) => file === standardOutput).length;
  if (printed > 1) throw new UsageError("only one file can be -, which is standard output");
  return printed === 1 ? { ...io, out: io.err, columns: undefined } : io;
}

export async function writeOutput(file: string, text: string, io: Pick<Io, "out">): Promise<void> {
  if (file === standardOutput) io.out(text);
  else await writeTextFile(file, text);
}

export async function writeTextFile(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw explainWriteFailure(file, error);
  }
}

/** A new file that its owner alone may read, whatever was there. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await refuseLinkOutside(file);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: "wx" });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw explainWriteFailure(file, error);
  }
}

/** Writes a temporary file and renames it, so that a reader sees the old or the new content, never a part. */
export async function writeFileAtomically(file: string, text: string): Promise<void> {
  // A symbolic link is kept; its target is replaced.
  const target = await realpath(file).catch(() => file);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw explainWriteFailure(file, error);
  }
}

/**
 * The address of a published schema for editors, from the file that names it: `./schemas/…` in a checkout,
 * `./node_modules/v1watch/dist/schemas/…` where v1watch is installed beside the file. Undefined elsewhere, because the
 * path would hold on this machine only.
 */
export function schemaAddress(name: "mapping" | "inventory", file: string): string | undefined {
  const schema = fileURLToPath(new URL(`../../schemas/${name}.schema.json`, import.meta.url));
  const path = relative(resolve(dirname(file)), schema);
  return path.startsWith("..") || isAbsolute(path) ? undefined : `./${path.split(sep).join("/")}`;
}
