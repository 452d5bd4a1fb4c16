// A small file beside the store for what has to be remembered while the store cannot save. Its space is taken while there is
// room and it is written in place, so that a full disk does not refuse it. (A file system that writes every change to a new
// place may refuse it all the same; a start then repeats a message.)
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";

const fileBytes = 32_768;
const maxFileBytes = 1_048_576;
/** No link is followed, and a pipe that stands there does not hold up the start. */
const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export type ReservedFile = {
  /** Undefined where there is none, or none that can be read. */
  read(): unknown;
  write(value: unknown): void;
};

function write(file: number, text: string): void {
  const bytes = Buffer.from(text);
  const padding = Buffer.alloc(Math.max(0, fileBytes - bytes.length), " ");
  const length = writeSync(file, Buffer.concat([bytes, padding]), 0, undefined, 0);
  ftruncateSync(file, length);
  fsyncSync(file);
}

/** Without a path nothing is remembered. */
export function openReservedFile(path: string | undefined): ReservedFile {
  function open<T>(work: (file: number, bytes: number) => T): T | undefined {
    if (path === undefined) return undefined;
    try {
      const file = openSync(path, flags, 0o600);
      try {
        const found = fstatSync(file);
        return found.isFile() && found.size <= maxFileBytes ? work(file, found.size) : undefined;
      } finally {
        closeSync(file);
      }
    } catch {
      // The disk refuses this file too, or its text is damaged: only this process remembers, until it ends.
      return undefined;
    }
  }
  return {
    read: () =>
      open((file, bytes): unknown => {
        const text = readFileSync(file, "utf8");
        if (bytes < fileBytes) write(file, text);
        return JSON.parse(text);
      }),
    write: (value) => open((file) => write(file, JSON.stringify(value))),
  };
}
