// Requests for 2,000 passports through exchange, compared with a bare undici loop that only reads the body.
// The simulator runs in its own process, both use the same number of sockets, and rounds alternate. The time
// of the simulator is part of both; with a trivial server, exchange reaches about 0.6 of undici.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createConnectionPool } from "../lib/probe/http/attempt.ts";
import { exchange } from "../lib/probe/http/exchange.ts";
import { startSimulator } from "../lib/simulator/server.ts";

export type Row = { name: string; value: number; unit: string; goal: string; ok: boolean };

const passports = 2_000;
const concurrency = 8;
const rounds = 11;
const file = fileURLToPath(import.meta.url);

type Ready = { url: string; ids: number[] };

async function serve(): Promise<void> {
  const { url, population } = await startSimulator({ passports });
  const ids = Array.from({ length: passports }, (_, index) => population.idOf(index));
  process.send?.({ url, ids } satisfies Ready);
}

/** Reads a body and returns its size. */
type Get = (url: URL) => Promise<number>;

/** Requests per second, with one concurrent request per socket. */
async function requestAll(get: Get, { url, ids }: Ready): Promise<number> {
  const left = ids.map((id) => new URL(`/api/v1/passports/${id}`, url));
  const startedAt = performance.now();
  const worker = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      if ((await get(next)) < 400) throw new Error("a passport is incomplete");
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return ids.length / ((performance.now() - startedAt) / 1_000);
}

const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

// Imported by a computed name, because undici is installed only in bench/ and the type checker cannot find
// it.
const peer: string = "undici";
type Undici = {
  Agent: new (options: { connections: number }) => { close(): Promise<void> };
  request(url: URL, options: object): Promise<{ body: { arrayBuffer(): Promise<ArrayBuffer> } }>;
};

export async function benchExchange(): Promise<Row[]> {
  const undici: Undici = await import(peer);
  const child = fork(file, ["serve"]);
  const [ready] = (await once(child, "message")) as [Ready];
  const dispatcher = new undici.Agent({ connections: concurrency });
  const connections = createConnectionPool(concurrency);
  const limits = { deadlineMs: 5_000, maxWireBytes: 2 ** 21, maxBodyBytes: 2 ** 21, allowLoopback: true };
  const bare: Get = async (url) =>
    (await (await undici.request(url, { dispatcher })).body.arrayBuffer()).byteLength;
  const reused: Get = async (url) => (await exchange({ url, ...limits, connections })).body?.length ?? 0;
  const fresh: Get = async (url) => (await exchange({ url, ...limits })).body?.length ?? 0;
  const speeds = { bare: [] as number[], reused: [] as number[], fresh: [] as number[] };
  try {
    for (const get of [bare, reused, fresh]) await requestAll(get, ready);
    for (let round = 0; round < rounds; round++) {
      speeds.bare.push(await requestAll(bare, ready));
      speeds.reused.push(await requestAll(reused, ready));
      if (round % 4 === 0) speeds.fresh.push(await requestAll(fresh, ready));
    }
  } finally {
    connections.close();
    await dispatcher.close();
    child.kill();
  }
  // The ratio is computed per round, because the load of the machine changes between rounds.
  const ratio = median(speeds.reused.map((speed, round) => speed / (speeds.bare[round] ?? Number.NaN)));
  const plain = (name: string, values: number[]): Row => ({
    name: `exchange: ${name}`,
    value: Math.round(median(values)),
    unit: "requests/s",
    goal: "",
    ok: true,
  });
  return [
    plain("undici, body only", speeds.bare),
    plain("reused sockets", speeds.reused),
    plain("new sockets", speeds.fresh),
    {
      name: "exchange: reused sockets, ratio to undici",
      value: Math.round(ratio * 100) / 100,
      unit: "×",
      goal: "≥ 0.70",
      ok: ratio >= 0.7,
    },
  ];
}

if (process.argv[1] === file) {
  if (process.argv[2] === "serve") await serve();
  else console.table(await benchExchange());
}
