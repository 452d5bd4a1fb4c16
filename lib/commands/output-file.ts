// The files that commands write: a trouble with one has its remedy, and is found before long work where it can be.
import { access, constants, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { printable } from "../config/config.ts";
import { UsageError } from "./command.ts";

const fileTroubles: Record<string, string> = {
  ENOENT: "its folder is not there. Make it first",
  ENOTDIR: "a part of its path is no folder. Name another place",
  // Said of a folder that would have to be made.
  EEXIST: "a part of its path is no folder. Name another place",
  EISDIR: "it is a folder. Name a file in it",
  EACCES: "this user may not write there. Name another place",
  EPERM: "this user may not write there. Name another place",
  EROFS: "this disk may not be written. Name another place",
  ENOSPC: "the disk is full. Make room on it",
};

export function cannotWrite(file: string, error: unknown): UsageError {
  const { code = "unknown cause" } = error as NodeJS.ErrnoException;
  return new UsageError(`cannot write "${printable(file)}": ${fileTroubles[code] ?? code}`);
}

/** Before the work: what cannot be kept should cost no scan and no request. */
export async function checkWritable(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory()) throw cannotWrite(file, { code: "EISDIR" });
  try {
    // With the dot a file in the folder's place is told from a folder.
    await access(there ? file : `${dirname(file)}/.`, constants.W_OK);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

export async function writeText(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

/** Beside the file and then in its place, so that it is the old one or the new one, never half. */
export async function writeWhole(file: string, text: string): Promise<void> {
  // A link stays one.
  const target = await realpath(file).catch(() => file);
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw cannotWrite(file, error);
  }
}
