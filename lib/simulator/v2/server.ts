// The simulated V2 on a loopback port, with the same passports as the simulated V1.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { sendResponse } from "../exchange.ts";
import { listen } from "../listen.ts";
import { createPopulation, type Population } from "../population.ts";
import type { ProfileName } from "../profile.ts";
import { keyHeader } from "../respond.ts";
import { createV2Bodies, indexOfUuid, type V2Bodies, type V2Endpoint, v2Endpoints } from "./bodies.ts";

export type V2SimulatorOptions = {
  /** 0 uses any free port. */
  port?: number;
  passports?: number;
  seed?: number;
  profile?: ProfileName;
  /** The only accepted key. Default: any key. A request without a key is always refused. */
  key?: string | undefined;
  /** The number of V2 points for one point of V1's score. */
  scale?: number;
  /** Puts other bodies in place of V2's. */
  changeBodies?: (bodyOf: V2Bodies) => V2Bodies;
  clock?: { now(): number };
};

export type V2Simulator = {
  url: string;
  port: number;
  population: Population;
  requests(): number;
  close(): Promise<void>;
};

type JsonResponse = { status: number; body: object };

export async function startV2Simulator(options: V2SimulatorOptions = {}): Promise<V2Simulator> {
  const { port = 0, passports = 500, seed = 1, profile = "documented", key } = options;
  const { scale = 3, changeBodies = (bodyOf) => bodyOf, clock = Date } = options;
  const population = createPopulation({ seed, size: passports });
  const bodyOf = changeBodies(createV2Bodies(population, { profile, scale }));
  let requests = 0;

  function respond(request: IncomingMessage, now: number): JsonResponse {
    const apiKey = request.headers[keyHeader];
    if (apiKey === undefined || (key !== undefined && apiKey !== key))
      return errorResponse(401, "Invalid API key.");
    const url = URL.parse(request.url ?? "/", "http://v2");
    const endpoint = v2Endpoints.find((name) => url?.pathname === `/${name}`);
    if (!endpoint || !url) return errorResponse(404, "Resource not found.");
    if (request.method !== "GET") return errorResponse(405, "Method not allowed.");
    const index = find(population, url.searchParams);
    if (index === undefined) return unknownWallet[endpoint] ?? errorResponse(404, "Resource not found.");
    return { status: 200, body: bodyOf(endpoint, index, { now }) };
  }

  const server = createServer(
    { keepAliveTimeout: 30_000 },
    (request: IncomingMessage, response: ServerResponse) => {
      requests++;
      const now = clock.now();
      const { status, body } = respond(request, now);
      const headers = { "Content-Type": "application/json; charset=utf-8" };
      const bytes = Buffer.from(JSON.stringify(body));
      sendResponse(response, { status, headers, bytes, delivery: { kind: "complete" }, now });
    },
  );
  const listening = await listen(server, port, "127.0.0.1");
  return {
    url: listening.url,
    port: listening.port,
    population,
    requests: () => requests,
    close: listening.close,
  };
}

const errorResponse = (status: number, error: string): JsonResponse => ({ status, body: { error } });

/**
 * According to one source, V2 returns a score of 0 for an unknown wallet, where V1 was observed to return
 * 404.
 */
const unknownWallet: Partial<Record<V2Endpoint, JsonResponse>> = {
  score: { status: 200, body: { score: { points: 0, last_calculated_at: null } } },
};

function find(population: Population, query: URLSearchParams): number | undefined {
  const id = query.get("id") ?? "";
  const source = query.get("account_source");
  if (source === "wallet") return /^0x[0-9a-f]{40}$/i.test(id) ? population.indexOfWallet(id) : undefined;
  return source === null && /^[0-9a-f-]{36}$/i.test(id) ? indexOfUuid(population, id) : undefined;
}
