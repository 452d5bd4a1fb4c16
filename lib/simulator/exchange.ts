// One request on its way to an answer, and what an effect is: a function that changes it at one stage.

import type { ServerResponse } from "node:http";
import type { EndpointId } from "../contract/endpoints.ts";
import type { Question } from "./bodies.ts";

export type Delivery =
  | { kind: "whole" }
  | { kind: "slow-drip"; bytesPerSecond: number }
  | { kind: "hang" }
  | { kind: "reset" }
  | { kind: "truncated" };

export type Exchange = {
  question: Question;
  authenticated: boolean;
  /** Counts from 1 over the life of the simulator; per-request chances are drawn from it. */
  readonly number: number;
  readonly now: number;
  /** No date in the data is later than this. */
  datesUntil: number;
  /** Undefined until something answers. */
  status: number | undefined;
  headers: Record<string, string>;
  body: unknown;
  bytes: Buffer;
  delivery: Delivery;
};

/**
 * In this order: `ask` changes the question, `refuse` answers in V1's place, `data` changes the body as
 * a value, `head` the headers, `text` the serialised body, `wire` how it is sent. `data` and `text` see
 * only answers of status 200.
 */
export const stages = ["ask", "refuse", "data", "head", "text", "wire"] as const;
export type Stage = (typeof stages)[number];

/** Which exchanges an effect meets: one endpoint or all; and how often, from 0 to 1, or always. */
export type Aim = { endpoint?: EndpointId; rate?: number };

/** When an effect began, and what its relative times mean. */
export type Span = { since: number; instantOf(ms: number): number };

export type EffectRow<P extends object> = {
  stage: Stage;
  summary: string;
  /** A ready-made instance, for control panels and for the test that every effect shows. */
  sample: P & Aim;
  /** The effect draws its own lot for each record; otherwise one is drawn for each request. */
  perRecord?: true;
  apply(effect: P & Aim, exchange: Exchange, span: Span): void;
};

export function defineEffect<P extends object = object>(row: EffectRow<P>): EffectRow<P> {
  return row;
}

export function refuse(exchange: Exchange, status: number, error: string): void {
  exchange.status = status;
  exchange.body = { error };
}

// Puts an answer on the wire, as whole or as broken as it asks to be.
type Sendable = {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
  delivery: Delivery;
  now: number;
};

/** On a virtual clock nobody waits: what would have taken so long is said in place of it. */
function virtualLatencyMs({ delivery, bytes }: Sendable): number | undefined {
  if (delivery.kind === "hang") return 3_600_000;
  return delivery.kind === "slow-drip" ? (bytes.length / delivery.bytesPerSecond) * 1_000 : undefined;
}

export function deliver(response: ServerResponse, sendable: Sendable): void {
  const { status, bytes, now } = sendable;
  const isVirtual = response.req.headers["x-v1watch-clock"] !== undefined;
  const latencyMs = isVirtual ? virtualLatencyMs(sendable) : undefined;
  const headers =
    latencyMs === undefined
      ? sendable.headers
      : { ...sendable.headers, "X-V1watch-Latency": String(Math.round(latencyMs)) };
  const delivery: Delivery = latencyMs === undefined ? sendable.delivery : { kind: "whole" };
  if (delivery.kind === "hang") return;
  if (delivery.kind === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  // Of the simulator's clock, so that virtual time shows no skew.
  response.sendDate = false;
  response.writeHead(status, {
    ...headers,
    "Content-Length": bytes.length,
    Date: new Date(now).toUTCString(),
  });
  // Node leaves out the body of an answer to HEAD.
  if (delivery.kind === "whole" || response.req.method === "HEAD") {
    response.end(bytes);
  } else if (delivery.kind === "truncated") {
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
  } else {
    drip(response, bytes, delivery.bytesPerSecond);
  }
}

function drip(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): void {
  let sent = 0;
  response.flushHeaders();
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, ++sent));
    if (sent >= bytes.length) response.end();
  }, 1000 / bytesPerSecond);
  response.once("close", () => clearInterval(timer));
  response.once("finish", () => clearInterval(timer));
}
