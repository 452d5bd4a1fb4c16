// The process in which a scan runs: nothing but its end stops a parser that does not end. It says on which file it works.
import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { type Answer, type Order, workPipe } from "./guard.ts";
import { MissingParser, scanConsumers } from "./scan.ts";

const send = (answer: Answer) => process.send?.(answer);

async function obey({ folders, addresses, successor, givenUp }: Order): Promise<Answer> {
  const files = new Set(givenUp);
  const begin = (file: string) => void writeSync(workPipe, `${file}\0`);
  try {
    const scan = await scanConsumers(folders, {
      addresses,
      successor,
      guard: { begin, isGivenUp: (file) => files.has(file) },
      onProgress: (progress) => send({ kind: "progress", progress }),
    });
    return scan ? { kind: "scan", scan } : { kind: "failed", why: "the scan was aborted" };
  } catch (error) {
    if (error instanceof MissingParser) return { kind: "no-parser" };
    return { kind: "failed", why: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

process.once("message", async (order: Order) => send(await obey(order)));
process.once("disconnect", () => process.exit());
// Ctrl-C concerns the one who started it, who ends it.
process.on("SIGINT", () => {});
// A parser that does not end does not notice that nobody waits any more.
new Worker(
  `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL"); }, 1000);`,
  { eval: true },
).unref();
