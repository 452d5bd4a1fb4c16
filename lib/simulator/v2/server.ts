// V2 on a loopback port, beside the simulated V1 and with the same people.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { keyHeader } from "../answer.ts";
import { deliver } from "../exchange.ts";
import { createPopulation, type Population } from "../population.ts";
import type { ProfileName } from "../profile.ts";
import { createV2Bodies, indexOfUuid, type V2Endpoint, v2Endpoints } from "./bodies.ts";
import { type Mismatch, plant } from "./mismatches.ts";

export type V2SimulatorOptions = {
  /** 0 takes any free port. */
  port?: number;
  host?: string;
  passports?: number;
  seed?: number;
  profile?: ProfileName;
  /** The one key that is let in; any key unless given, and never none. */
  key?: string;
  /** V2's points for one of V1's score. */
  scale?: number;
  /** The share of reads that show a new calculation. */
  noise?: number;
  mismatches?: readonly Mismatch[];
  clock?: { now(): number };
};

export type V2Simulator = {
  url: string;
  port: number;
  population: Population;
  requests(): number;
  close(): Promise<void>;
};

type Reply = { status: number; body: object };

export async function startV2Simulator(options: V2SimulatorOptions = {}): Promise<V2Simulator> {
  const { port = 0, host = "127.0.0.1", passports = 500, seed = 1, profile = "documented", key } = options;
  const { scale = 3, noise = 0, mismatches = [], clock = Date } = options;
  const population = createPopulation({ seed, size: passports });
  const bodyOf = createV2Bodies(population, { profile, scale, noise });
  let requests = 0;

  function reply(request: IncomingMessage, now: number): Reply {
    const sent = request.headers[keyHeader];
    if (sent === undefined || (key !== undefined && sent !== key)) return refusal(401, "Invalid API key.");
    const url = URL.parse(request.url ?? "/", "http://v2");
    const endpoint = v2Endpoints.find((name) => url?.pathname === `/${name}`);
    if (!endpoint || !url) return refusal(404, "Resource not found.");
    if (request.method !== "GET") return refusal(405, "Method not allowed.");
    const index = find(population, url.searchParams);
    if (index === undefined) return unknown[endpoint] ?? refusal(404, "Resource not found.");
    const body = bodyOf(endpoint, index, { now });
    plant(mismatches, seed, index, endpoint, body);
    return { status: 200, body };
  }

  const server = createServer(
    { keepAliveTimeout: 30_000 },
    (request: IncomingMessage, response: ServerResponse) => {
      requests++;
      const now = clock.now();
      const { status, body } = reply(request, now);
      const headers = { "Content-Type": "application/json; charset=utf-8" };
      const bytes = Buffer.from(JSON.stringify(body));
      deliver(response, { status, headers, bytes, delivery: { kind: "whole" }, now });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    population,
    requests: () => requests,
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

const refusal = (status: number, error: string): Reply => ({ status, body: { error } });

/** One claim says that an unknown wallet has a score of 0 in V2, where V1 was seen to answer 404. */
const unknown: Partial<Record<V2Endpoint, Reply>> = {
  score: { status: 200, body: { score: { points: 0, last_calculated_at: null } } },
};

function find(population: Population, query: URLSearchParams): number | undefined {
  const id = query.get("id") ?? "";
  const source = query.get("account_source");
  if (source === "wallet") return /^0x[0-9a-f]{40}$/i.test(id) ? population.indexOfWallet(id) : undefined;
  return source === null && /^[0-9a-f-]{36}$/i.test(id) ? indexOfUuid(population, id) : undefined;
}
