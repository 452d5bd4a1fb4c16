// The state of one request and its response. An effect is a function that changes this state at one stage.

import type { ServerResponse } from "node:http";
import type { Endpoint, EndpointId } from "../contract/endpoints.ts";
import type { RequestTarget } from "./bodies.ts";

export type Role = Endpoint["role"];

type DeliveryMode =
  | { kind: "complete" }
  | { kind: "slow-drip"; bytesPerSecond: number }
  | { kind: "hang" }
  | { kind: "reset" }
  | { kind: "truncated" };

export type Exchange = {
  target: RequestTarget;
  authenticated: boolean;
  /**
   * The number of the request since the start of the simulator, from 1. It seeds the random choice per
   * request.
   */
  readonly number: number;
  readonly now: number;
  /** The latest date that may appear in the data. */
  datesUntil: number;
  /** Undefined until the response is decided. */
  status: number | undefined;
  headers: Record<string, string>;
  body: unknown;
  bytes: Buffer;
  delivery: DeliveryMode;
};

/**
 * The stages in order: `request` changes the request, `status` replaces V1's response by an error or a
 * redirect, `data` changes the body as a value, `headers` the headers, `body` the serialised body,
 * `transport` how the bytes are sent. `data` and `body` apply only to responses with status 200.
 */
export type Stage = "request" | "status" | "data" | "headers" | "body" | "transport";

/**
 * Which exchanges an effect applies to: one endpoint or all, and the share of them from 0 to 1. Default: all.
 */
export type EffectScope = { endpoint?: EndpointId; rate?: number };

/** When an effect started, and the conversion of its relative times. */
export type EffectTiming = { since: number; instantOf(ms: number): number };

export type EffectRow<P extends object> = {
  stage: Stage;
  summary: string;
  /** An example of the effect, for the dashboard and for tests. */
  sample: P & EffectScope;
  /** The example for an endpoint with another role, where a parameter names a part of the body. */
  sampleByRole?: Readonly<Partial<Record<Role, P>>>;
  /** Why the effect cannot change the responses of an endpoint with this role. */
  refusedFor?: Readonly<Partial<Record<Role, string>>>;
  /** The rate applies to each record instead of each request. */
  perRecord?: true;
  apply(effect: P & EffectScope, exchange: Exchange, timing: EffectTiming): void;
};

export function defineEffect<P extends object = object>(row: EffectRow<P>): EffectRow<P> {
  return row;
}

export function setError(exchange: Exchange, status: number, error: string): void {
  exchange.status = status;
  exchange.body = { error };
  // RFC 9110: a 401 names the way to authenticate.
  if (status === 401) exchange.headers["WWW-Authenticate"] = `ApiKey realm="V1"`;
}

type SimulatedResponse = {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
  delivery: DeliveryMode;
  now: number;
};

/** On a virtual clock nobody waits: the response says how long it would have taken. */
function virtualLatencyMs({ delivery, bytes }: SimulatedResponse): number | undefined {
  if (delivery.kind === "hang") return 3_600_000;
  return delivery.kind === "slow-drip" ? (bytes.length / delivery.bytesPerSecond) * 1_000 : undefined;
}

/** Sends a response, complete or broken according to its delivery mode. */
export function sendResponse(response: ServerResponse, simulated: SimulatedResponse): void {
  const { status, bytes, now } = simulated;
  const isVirtual = response.req.headers["x-v1watch-clock"] !== undefined;
  const latencyMs = isVirtual ? virtualLatencyMs(simulated) : undefined;
  const headers =
    latencyMs === undefined
      ? simulated.headers
      : { ...simulated.headers, "X-V1watch-Latency": String(Math.round(latencyMs)) };
  const delivery: DeliveryMode = latencyMs === undefined ? simulated.delivery : { kind: "complete" };
  if (delivery.kind === "hang") return;
  if (delivery.kind === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  // The Date header follows the simulator's clock, so that virtual time causes no clock skew.
  response.sendDate = false;
  response.writeHead(status, {
    ...headers,
    "Content-Length": bytes.length,
    Date: new Date(now).toUTCString(),
  });
  // Node omits the body of a response to HEAD.
  if (delivery.kind === "complete" || response.req.method === "HEAD") {
    response.end(bytes);
  } else if (delivery.kind === "truncated") {
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
  } else {
    sendSlowly(response, bytes, delivery.bytesPerSecond);
  }
}

function sendSlowly(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): void {
  let sent = 0;
  response.flushHeaders();
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, ++sent));
    if (sent >= bytes.length) response.end();
  }, 1000 / bytesPerSecond);
  response.once("close", () => clearInterval(timer));
  response.once("finish", () => clearInterval(timer));
}
