// The start time, the memory and the latency of the simulator under a constant load.
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { startSimulator } from "../lib/simulator/server.ts";
import { median, type Row } from "./table.ts";

const passports = 100_000;
const requestsPerSecond = 1000;
const warmUpSeconds = 1;
const rounds = 5;
const roundSeconds = 2;
const file = fileURLToPath(import.meta.url);

type Ready = { url: string; wallets: string[] };

/** The server runs in its own process, so that its memory and CPU time are separate from the client's. */
async function serve(): Promise<void> {
  const { url, population } = await startSimulator({ passports });
  const wallets = Array.from({ length: 5000 }, (_, n) => population.walletOf((n * 7919) % passports, 0));
  process.send?.({ url, wallets } satisfies Ready);
  process.on("message", () => process.send?.(process.memoryUsage.rss()));
}

type Connection = { get(path: string): Promise<void>; close(): void };

/**
 * A plain keep-alive socket that reads into one buffer, so that the client's garbage collection is not
 * measured.
 */
function openConnection(url: string): Connection {
  const { hostname, port } = new URL(url);
  let missingBytes = 0;
  let response = Promise.withResolvers<void>();

  function read(size: number, buffer: Uint8Array): boolean {
    if (missingBytes === 0) {
      const head = Buffer.from(buffer.buffer, 0, size);
      const end = head.indexOf("\r\n\r\n");
      const text = head.toString("latin1", 0, end);
      if (!text.startsWith("HTTP/1.1 200 ")) response.reject(new Error(`status ${text.slice(9, 12)}`));
      missingBytes = end + 4 + Number(/content-length: (\d+)/i.exec(text)?.[1]);
    }
    missingBytes -= size;
    if (missingBytes === 0) response.resolve();
    return true;
  }

  const onread = { buffer: new Uint8Array(2 ** 16), callback: read };
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
  socket.on("error", (error) => response.reject(error));
  return {
    get(path) {
      response = Promise.withResolvers();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
      return response.promise;
    },
    close: () => socket.destroy(),
  };
}

/**
 * Open loop: requests are sent on schedule, whether or not earlier ones have completed. Latency is measured
 * from the scheduled time, so that a stall counts for every delayed request.
 */
async function load(url: string, pathOf: (number: number) => string, seconds: number): Promise<number[]> {
  const connections: Connection[] = [];
  const idle: Connection[] = [];
  async function time(path: string, dueMs: number): Promise<number> {
    const connection = idle.pop() ?? openConnection(url);
    if (!connections.includes(connection)) connections.push(connection);
    await connection.get(path);
    idle.push(connection);
    return performance.now() - dueMs;
  }
  const total = requestsPerSecond * seconds;
  const pending: Promise<number>[] = [];
  const startMs = performance.now();
  while (pending.length < total) {
    const dueCount = Math.min(total, ((performance.now() - startMs) / 1000) * requestsPerSecond);
    while (pending.length < dueCount) {
      const dueMs = startMs + (pending.length / requestsPerSecond) * 1000;
      pending.push(time(pathOf(pending.length), dueMs));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const latencies = await Promise.all(pending);
  for (const connection of connections) connection.close();
  return latencies.toSorted((one, other) => one - other);
}

export async function benchSimulator(): Promise<Row[]> {
  const startMs = performance.now();
  const child = fork(file, ["serve"]);
  const [{ url, wallets }] = (await once(child, "message")) as [Ready];
  const startedInMs = performance.now() - startMs;
  const pages = Math.ceil(passports / 25);
  const targets = {
    page: (number: number) => `/api/v1/passports?page=${1 + ((number * 31) % pages)}`,
    "wallet lookup": (number: number) => `/api/v1/passports/${wallets[number % wallets.length]}`,
  };
  const rows: Row[] = [];
  const add = (name: string, value: number, unit: string, limit: number) =>
    rows.push({ name, value: Number(value.toFixed(2)), unit, goal: `< ${limit}`, ok: value < limit });
  try {
    add("simulator: start with 100,000 passports", startedInMs, "ms", 2000);
    for (const [name, pathOf] of Object.entries(targets)) {
      await load(url, pathOf, warmUpSeconds);
      const results: number[][] = [];
      for (let round = 0; round < rounds; round++) results.push(await load(url, pathOf, roundSeconds));
      for (const [label, quantile] of [
        ["p50", 0.5],
        ["p99", 0.99],
      ] as const) {
        const each = results.map((sorted) => sorted[Math.floor(sorted.length * quantile)] ?? Number.NaN);
        const what = `${name} ${label} at ${requestsPerSecond}/s, median of ${rounds} rounds`;
        add(`simulator: ${what}`, median(each), "ms", 5);
      }
    }
    child.send("memory");
    const [rss] = (await once(child, "message")) as [number];
    add("simulator: memory after the load", rss / 2 ** 20, "MiB", 400);
  } finally {
    child.kill();
  }
  return rows;
}

if (process.argv[1] === file) {
  if (process.argv[2] === "serve") await serve();
  else console.table(await benchSimulator());
}
