// A scan in a process of its own, which is ended when it stays at one file: the parser is native code that nothing else stops.
import { type ChildProcess, fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { extname, join } from "node:path";
import type { Readable } from "node:stream";
import { type Folder, MissingParser, type Scan, type ScanOptions, type ScanProgress } from "./scan.ts";

export type Order = {
  folders: readonly Folder[];
  addresses: NonNullable<ScanOptions["addresses"]>;
  successor: ScanOptions["successor"];
  givenUp: readonly string[];
};
export type Answer =
  | { kind: "progress"; progress: ScanProgress }
  | { kind: "scan"; scan: Scan }
  | { kind: "no-parser" }
  | { kind: "failed"; why: string };

/** By which the process says on which file it works, at once, even if it never gets to its event loop again. */
export const workPipe = 3;

export type GuardedOptions = Pick<ScanOptions, "onProgress" | "signal" | "addresses" | "successor"> & {
  /** For how long a scan may work on one file. */
  patienceMs?: number;
};

/** Nobody's code takes the parser so long. A second is enough for the largest file that is read. */
const usualPatienceMs = 20_000;
/** Where no file is at work, in proportion: all of a large tree is looked at. */
const patienceForTree = 10;
/** Files of a tree that keep the scan from ending, before it gives up all. */
const maxGivenUp = 5;

/** The scan does not end, and it is not known which files to leave out, or there are too many. */
export class EndlessScan extends Error {
  readonly files: readonly string[];
  constructor(files: readonly string[]) {
    super("the scan does not end");
    this.files = files;
  }
}

/**
 * Returns undefined if the scan was aborted. A file on which it stays is given up, and the scan begins again without it: it is
 * one of those that were not analysed to the end.
 */
export async function scanGuarded(
  folders: readonly Folder[],
  { onProgress, signal, addresses = {}, successor, patienceMs = usualPatienceMs }: GuardedOptions = {},
): Promise<Scan | undefined> {
  const givenUp: string[] = [];
  while (!signal?.aborted) {
    const order: Order = { folders, addresses, successor, givenUp };
    const end = await attempt(order, { onProgress, signal, patienceMs });
    if (end.kind === "scan") return end.scan;
    if (end.kind === "no-parser") throw new MissingParser();
    if (end.kind === "aborted") return undefined;
    if (end.kind === "failed") throw new Error(end.why);
    if (end.file === "" || givenUp.length >= maxGivenUp) throw new EndlessScan(givenUp);
    givenUp.push(end.file);
  }
  return undefined;
}

type End =
  | Exclude<Answer, { kind: "progress" }>
  | { kind: "aborted" }
  | { kind: "stuck" /** Empty between files. */; file: string };

type Attempt = {
  onProgress: ScanOptions["onProgress"] | undefined;
  signal: AbortSignal | undefined;
  patienceMs: number;
};

function attempt(order: Order, { onProgress, signal, patienceMs }: Attempt): Promise<End> {
  // The file is of the same kind as this one: TypeScript in a checkout, JavaScript in the package.
  const entry = join(import.meta.dirname, `child${extname(import.meta.filename)}`);
  const child: ChildProcess = fork(entry, [], {
    execArgv: [],
    // Its modules are compiled once, as those of the command are.
    env: { NODE_COMPILE_CACHE: getCompileCacheDir(), ...process.env },
    serialization: "advanced",
    stdio: ["ignore", "inherit", "inherit", "pipe", "ipc"],
  });
  return new Promise((resolve, reject) => {
    let [file, rest, idleTicks] = ["", "", 0];
    const ticks = 10;
    const finish = (end: End) => {
      clearInterval(timer);
      signal?.removeEventListener("abort", abort);
      child.kill("SIGKILL");
      resolve(end);
    };
    const abort = () => finish({ kind: "aborted" });
    // Counted in ticks, so that a machine that slept is not taken for a scan that stays.
    const timer = setInterval(() => {
      idleTicks += 1;
      if (idleTicks > ticks * (file === "" ? patienceForTree : 1)) finish({ kind: "stuck", file });
    }, patienceMs / ticks);
    signal?.addEventListener("abort", abort, { once: true });
    (child.stdio[workPipe] as Readable).setEncoding("utf8").on("data", (text: string) => {
      const files = (rest + text).split("\0");
      rest = files.pop() ?? "";
      file = files.at(-1) ?? file;
      idleTicks = 0;
    });
    child.on("message", (answer: Answer) => {
      idleTicks = 0;
      if (answer.kind === "progress") onProgress?.(answer.progress);
      else finish(answer);
    });
    child.once("error", reject);
    child.once("exit", (code, by) =>
      finish({ kind: "failed", why: `the process of the scan ended by itself (${by ?? code})` }),
    );
    child.send(order);
  });
}
