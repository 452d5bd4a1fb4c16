// A sweep of 2,000 passports through exchange, beside a bare undici loop that only reads the body:
// one simulator in a process of its own, as many sockets for each, rounds in turn, medians. The
// simulator's work is in both; against a server that does none, exchange reaches about 0.6 of undici.
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

/** Reads a body and tells its size. */
type Get = (url: URL) => Promise<number>;

/** Requests each second, with as many under way at once as there are sockets. */
async function sweep(get: Get, { url, ids }: Ready): Promise<number> {
  const left = ids.map((id) => new URL(`/api/v1/passports/${id}`, url));
  const startedAt = performance.now();
  const worker = async () => {
    for (let next = left.pop(); next; next = left.pop()) {
      if ((await get(next)) < 400) throw new Error("a passport did not come whole");
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return ids.length / ((performance.now() - startedAt) / 1_000);
}

const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

// By a name that the type checker does not follow: the peers are installed in bench/ alone.
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
  const kept: Get = async (url) => (await exchange({ url, ...limits, connections })).body?.length ?? 0;
  const fresh: Get = async (url) => (await exchange({ url, ...limits })).body?.length ?? 0;
  const speeds = { bare: [] as number[], kept: [] as number[], fresh: [] as number[] };
  try {
    for (const get of [bare, kept, fresh]) await sweep(get, ready);
    for (let round = 0; round < rounds; round++) {
      speeds.bare.push(await sweep(bare, ready));
      speeds.kept.push(await sweep(kept, ready));
      if (round % 4 === 0) speeds.fresh.push(await sweep(fresh, ready));
    }
  } finally {
    connections.close();
    await dispatcher.close();
    child.kill();
  }
  // Within a round, because what else the machine does changes from round to round.
  const ratio = median(speeds.kept.map((speed, round) => speed / (speeds.bare[round] ?? Number.NaN)));
  const plain = (name: string, values: number[]): Row => ({
    name: `sweep: ${name}`,
    value: Math.round(median(values)),
    unit: "requests/s",
    goal: "",
    ok: true,
  });
  return [
    plain("undici, body only", speeds.bare),
    plain("exchange, kept sockets", speeds.kept),
    plain("exchange, fresh sockets", speeds.fresh),
    {
      name: "sweep: exchange, kept sockets, to undici",
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
