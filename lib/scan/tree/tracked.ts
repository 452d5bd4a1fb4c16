// What git tracks, from its index: git itself is not started, because a repository may make it start other programs.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

export type TrackedFile = { path: string; isModule: boolean };

const moduleMode = 0o160000;

/** The repository around a folder, and the folder with its index: a worktree or a submodule has that elsewhere. */
function findRepository(root: string): { top: string; git: string } | undefined {
  for (let top = resolve(root); ; top = dirname(top)) {
    const git = join(top, ".git");
    if (existsSync(git)) {
      if (statSync(git).isDirectory()) return { top, git };
      const [, elsewhere] = /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8")) ?? [];
      return elsewhere === undefined ? undefined : { top, git: resolve(top, elsewhere) };
    }
    if (dirname(top) === top) return undefined;
  }
}

/** The entries of an index of version 2, 3 or 4 with hashes of 20 bytes; it throws at any other. */
function* readIndex(bytes: Buffer): Generator<TrackedFile> {
  const version = bytes.readUInt32BE(4);
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) throw new RangeError();
  let [at, before] = [12, ""];
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const mode = bytes.readUInt32BE(start + 24);
    const isExtended = version > 2 && (bytes.readUInt16BE(start + 60) & 0x4000) !== 0;
    at += isExtended ? 64 : 62;
    let kept = 0;
    if (version === 4) {
      // How many characters of the path before are not part of this one.
      let byte = bytes.readUInt8(at++);
      let dropped = byte & 127;
      while (byte & 128) {
        byte = bytes.readUInt8(at++);
        dropped = ((dropped + 1) << 7) | (byte & 127);
      }
      kept = Buffer.byteLength(before) - dropped;
    }
    const end = bytes.indexOf(0, at);
    if (end < 0 || kept < 0) throw new RangeError();
    const path = Buffer.concat([Buffer.from(before).subarray(0, kept), bytes.subarray(at, end)]).toString(
      "utf8",
    );
    at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
    before = path;
    // A folder of a sparse index ends with a slash.
    yield { path: path.replace(/\/$/, ""), isModule: mode === moduleMode };
  }
}

/** The tracked files of a folder, with paths from it; none where there is no repository or nobody can read its index. */
export function listTracked(root: string): TrackedFile[] {
  try {
    const repository = findRepository(root);
    if (!repository) return [];
    const below = relative(repository.top, resolve(root)).split(sep).join("/");
    const start = below === "" ? "" : `${below}/`;
    return [...readIndex(readFileSync(join(repository.git, "index")))].flatMap(({ path, isModule }) =>
      path.startsWith(start) ? [{ path: path.slice(start.length), isModule }] : [],
    );
  } catch {
    return [];
  }
}

/** The commit of the repository around a folder; undefined where there is none, or nobody can read it. */
export function readCommit(root: string): string | undefined {
  try {
    const repository = findRepository(root);
    if (!repository) return undefined;
    const { git } = repository;
    const head = readFileSync(join(git, "HEAD"), "utf8").trim();
    const [, ref] = /^ref: (refs\/.+)$/.exec(head) ?? [];
    return (ref === undefined ? head : readRef(git, ref))?.match(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)?.[0];
  } catch {
    return undefined;
  }
}

/** A branch is in a file of its own or in the list of packed ones, for a worktree in the folder that all of them share. */
function readRef(git: string, ref: string): string | undefined {
  const common = join(git, "commondir");
  const shared = existsSync(common) ? resolve(git, readFileSync(common, "utf8").trim()) : git;
  for (const folder of [git, shared])
    if (existsSync(join(folder, ref))) return readFileSync(join(folder, ref), "utf8").trim();
  const packed = readFileSync(join(shared, "packed-refs"), "utf8").split("\n");
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
}
