// A proxy for a test environment: V1's real responses with the effects of a scenario laid over them. It keeps the limits of the
// probe, forwards the caller's key, and neither logs nor keeps keys, ids or bodies.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { apiKeyHeader, type EndpointId, endpoints, sampleSource } from "../contract/endpoints.ts";
import { createConnectionPool } from "../probe/http/attempt.ts";
import { type ExchangeRequest, exchange as request } from "../probe/http/exchange.ts";
import { createSemaphore } from "../semaphore.ts";
import { type ActiveEffect, applyEffects, type Effect } from "../simulator/effects/index.ts";
import { type Exchange, sendResponse, setError } from "../simulator/exchange.ts";
import { listen } from "../simulator/listen.ts";
import { parseTarget } from "../simulator/respond.ts";
import type { RehearsalScenario } from "./scenarios.ts";

export type Upstream = {
  /** V1's address, such as https://api.example.com. */
  url: string;
  /** Only for the simulator and for tests. */
  allowLoopback: boolean;
  allowPrivateNetworks?: readonly string[] | undefined;
  proxy?: ExchangeRequest["proxy"];
  deadlineMs: number;
  maxBodyBytes: number;
  /** After so many requests V1 is asked no more: its quota is that of the team. */
  maxRequests: number;
  /** Books a request in the budget of the watch before it is sent. Says why V1 is not asked, where there is no room. */
  book?: (() => Promise<string | undefined>) | undefined;
};

type Caller = { userAgent: string; endpoint: EndpointId | "another path"; requests: number };

/** What became of the requests to one endpoint since the scenario began. */
export type EndpointTraffic = {
  endpoint: EndpointId;
  requests: number;
  /** Answered as the scenario says: V1's response was changed or, while V1 is healthy, served. */
  played: number;
  /** Not answered by V1, because of a limit of the rehearsal or because V1 could not be reached. */
  refused: number;
  /** The latest status that was sent. */
  status: number;
};

export type RehearsalProxy = {
  url: string;
  /** Plays another scenario from now on, and forgets the callers. */
  play(scenario: RehearsalScenario): void;
  callers(): Caller[];
  traffic(): EndpointTraffic[];
  /** Requests that V1 itself got; they count against its quota. */
  upstreamRequests(): number;
  close(): Promise<void>;
};

export const rehearsalHeader = "X-V1watch-Rehearsal";
const maxCallers = 200;
const maxConcurrent = 10;
/** Of a response of V1: those that describe a connection or an encoding that is not ours. */
const notForwarded = [
  "connection",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "content-encoding",
  "date",
];

export async function startRehearsalProxy(
  upstream: Upstream,
  {
    port = 0,
    host = "127.0.0.1",
    nowMs = Date.now,
  }: { port?: number; host?: string; nowMs?: () => number } = {},
): Promise<RehearsalProxy> {
  const pool = createConnectionPool(maxConcurrent);
  const stopping = new AbortController();
  let name = "healthy";
  let isBroken = false;
  let v1Active: ActiveEffect[] = [];
  let v2Active: ActiveEffect[] | undefined;
  let [number, sent] = [0, 0];
  // A server's connections limit the queue.
  const slots = createSemaphore(maxConcurrent);
  const callers = new Map<string, Caller>();
  const traffic = new Map<EndpointId, EndpointTraffic>();

  function play(scenario: RehearsalScenario): void {
    const since = nowMs() - (scenario.sinceMs ?? 0);
    const activate = (effect: Effect) => ({ effect, since, instantOf: (ms: number) => since + ms });
    v1Active = scenario.effects.map(activate);
    v2Active = scenario.atV2?.map(activate);
    name = scenario.name;
    isBroken = scenario.isBroken;
    callers.clear();
    traffic.clear();
  }

  function count(incoming: IncomingMessage, endpoint: Caller["endpoint"]): void {
    // Printable and short; the path is not kept, because it may name a person.
    const userAgent = (incoming.headers["user-agent"] ?? "no User-Agent")
      .replace(/[^\x20-\x7e]/g, "?")
      .slice(0, 80);
    const key = `${endpoint} ${userAgent}`;
    const known = callers.get(key);
    if (known) known.requests++;
    else if (callers.size < maxCallers) callers.set(key, { userAgent, endpoint, requests: 1 });
  }

  function trafficOf(endpoint: EndpointId): EndpointTraffic {
    const known = traffic.get(endpoint);
    if (known) return known;
    const created = { endpoint, requests: 0, played: 0, refused: 0, status: 0 };
    traffic.set(endpoint, created);
    return created;
  }

  /** V1's bytes; undefined where it was not asked or did not answer. */
  async function fill(response: Exchange, incoming: IncomingMessage): Promise<Buffer | undefined> {
    await slots.acquire();
    try {
      return await ask(response, incoming);
    } finally {
      slots.release();
    }
  }

  async function ask(response: Exchange, incoming: IncomingMessage): Promise<Buffer | undefined> {
    const refuse = (why: string) => setError(response, 503, `The rehearsal does not ask V1: ${why}.`);
    // Whoever has left the queue costs no request.
    if (incoming.socket.destroyed || stopping.signal.aborted) {
      refuse("nobody waits for the response");
      return undefined;
    }
    if (sent >= upstream.maxRequests) {
      refuse("its share of V1's quota is used up");
      return undefined;
    }
    // Counted before the first await, so that no two requests take the same place.
    sent++;
    const refusal = await upstream.book?.();
    if (refusal !== undefined) {
      sent--;
      refuse(refusal);
      return undefined;
    }
    const key = incoming.headers[apiKeyHeader.toLowerCase()];
    const answer = await request({
      url: new URL(upstream.url.replace(/\/$/, "") + v1PathOf(incoming)),
      apiKey: typeof key === "string" && key !== "" ? key : undefined,
      allowLoopback: upstream.allowLoopback,
      allowPrivateNetworks: upstream.allowPrivateNetworks,
      proxy: upstream.proxy,
      deadlineMs: upstream.deadlineMs,
      maxBodyBytes: upstream.maxBodyBytes,
      retry: false,
      connections: pool,
      signal: stopping.signal,
    });
    if (answer.status === undefined || answer.body === null) {
      const { kind, detail } = answer.outcome;
      setError(response, 502, `V1 itself could not be reached (${detail ?? kind}).`);
      return undefined;
    }
    response.status = answer.status;
    for (const [header, value] of Object.entries(answer.headers))
      if (!notForwarded.includes(header)) response.headers[header] = value;
    return Buffer.from(answer.body);
  }

  async function answer(incoming: IncomingMessage): Promise<Exchange & { status: number }> {
    const now = nowMs();
    const isAtV2 = v2Active !== undefined && isV2Path(incoming);
    const target = parseTarget(v2Active ? v1PathOf(incoming) : (incoming.url ?? "/"));
    count(incoming, target && !isAtV2 ? target.endpoint : "another path");
    // Kept from the start: a response that is late belongs to the scenario in which it was requested.
    const isRead = incoming.method === "GET" || incoming.method === "HEAD";
    const counts = target && isRead && !isAtV2 ? trafficOf(target.endpoint) : undefined;
    if (counts) counts.requests++;
    const isServedAsIs = !isBroken;
    const response: Exchange = {
      target: target ?? { endpoint: sampleSource, id: "", keyword: "", page: 1 },
      authenticated: incoming.headers[apiKeyHeader.toLowerCase()] !== undefined,
      number: ++number,
      now,
      datesUntil: now,
      status: undefined,
      headers: {},
      body: undefined,
      bytes: Buffer.alloc(0),
      delivery: { kind: "complete" },
    };
    const active = (isAtV2 ? v2Active : undefined) ?? v1Active;
    let original: Buffer | undefined;
    let isRefused = false;
    if (!target) setError(response, 404, "The rehearsal knows V1's documented paths only.");
    else if (!isRead) setError(response, 405, "Method not allowed.");
    else {
      applyEffects(active, "request", response);
      applyEffects(active, "status", response);
      if (v2Active && !isAtV2) {
        setError(response, 301, "Moved permanently.");
        response.headers.location = `${v2Prefix}${incoming.url}`;
      }
      if (response.status === undefined) {
        original = await fill(response, incoming);
        isRefused = original === undefined;
      }
    }
    const answered = original;
    const isServed = response.status === 200 && original !== undefined;
    if (isServed && original) {
      response.body = parse(original);
      const before = JSON.stringify(response.body);
      if (response.body !== undefined) {
        freeze(response);
        applyEffects(active, "data", response);
      }
      // Where nothing was changed, V1's own bytes are served.
      if (JSON.stringify(response.body) !== before) original = undefined;
    }
    if (original === undefined) response.headers["content-type"] = "application/json; charset=utf-8";
    applyEffects(active, "headers", response);
    response.bytes = original ?? Buffer.from(JSON.stringify(response.body ?? null));
    if (isServed) {
      applyEffects(active, "body", response);
      applyEffects(active, "transport", response);
    } else if (target && original === undefined) applyEffects(active, "transport", response);
    // Effects write some names in capitals.
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([header, value]) => [header.toLowerCase(), value]),
    );
    headers[rehearsalHeader.toLowerCase()] = name;
    if (counts) {
      const isChanged =
        answered === undefined || !response.bytes.equals(answered) || response.delivery.kind !== "complete";
      if (isRefused) counts.refused++;
      else if (isServedAsIs ? isServed : isChanged) counts.played++;
      counts.status = response.status ?? 500;
    }
    return { ...response, headers, status: response.status ?? 500 };
  }

  const server = createServer(
    { keepAliveTimeout: 5_000, headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16_384 },
    (incoming, outgoing: ServerResponse) => {
      incoming.resume();
      answer(incoming).then(
        (response) => sendResponse(outgoing, response),
        () => outgoing.destroy(),
      );
    },
  );
  server.maxConnections = 200;
  const listening = await listen(server, port, host);

  return {
    url: listening.url,
    play,
    callers: () => [...callers.values()].toSorted((a, b) => b.requests - a.requests),
    traffic: () => [...traffic.values()],
    upstreamRequests: () => sent,
    close() {
      stopping.abort();
      pool.close();
      return listening.close();
    },
  };
}

/** Where the proxy answers as V2; V1's path follows. */
const v2Prefix = "/v2";
const isV2Path = ({ url = "/" }: IncomingMessage) => url.startsWith(`${v2Prefix}/`);
const v1PathOf = (incoming: IncomingMessage) =>
  isV2Path(incoming) ? (incoming.url ?? "").slice(v2Prefix.length) : (incoming.url ?? "/");

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Dates that lie after the day on which V1 stopped calculating are set to that day. */
function freeze({ target, body, now, datesUntil }: Exchange): void {
  if (datesUntil >= now) return;
  for (const path of endpoints[target.endpoint].timestamps) {
    const names = path.split(".");
    const field = names.pop() ?? "";
    for (const parent of names.reduce(stepInto, [body])) {
      const record = parent as Record<string, unknown> | null;
      const atMs = Date.parse(String(record?.[field]));
      if (record && atMs > datesUntil) record[field] = new Date(datesUntil).toISOString();
    }
  }
}

function stepInto(parents: readonly unknown[], name: string): unknown[] {
  const isList = name.endsWith("[]");
  const key = isList ? name.slice(0, -2) : name;
  return parents.flatMap((parent) => {
    const child = key === "" ? parent : (parent as Record<string, unknown> | null)?.[key];
    return isList ? (Array.isArray(child) ? child : []) : [child];
  });
}
