// One GET of a comparison → a body in memory, an absence, or our own word for why there is neither.

import { createConnectionPool } from "../probe/http/attempt.ts";
import { exchange } from "../probe/http/exchange.ts";
import { parseBody } from "../probe/validate/parse-body.ts";
import { type Burst, createRateLimiter } from "./limits.ts";

export type Side = "v1" | "v2";
export type Answer = { kind: "ok"; body: unknown } | { kind: "absent" } | { kind: "failed"; why: string };

export type Ask = (side: Side, pathAndQuery: string) => Promise<Answer>;

export type Target = {
  baseUrl: string;
  apiKey?: string;
  burst?: Burst;
  /** Asked before each request: others may be asking the same target. */
  acquireSlot?(signal?: AbortSignal): Promise<void>;
};

export type AskOptions = {
  v1: Target;
  v2: Target;
  deadlineMs: number;
  maxBodyBytes: number;
  maxWireBytes: number;
  allowLoopback: boolean;
  /** Requests under way at once, to each version. */
  concurrency: number;
  signal?: AbortSignal;
};

const maxRestSeconds = 3_600;

export function openAsk(options: AskOptions): { ask: Ask; close(): void } {
  const { deadlineMs, maxBodyBytes, maxWireBytes, allowLoopback, concurrency, signal } = options;
  const connections = createConnectionPool(concurrency);
  const rateLimiter = createRateLimiter(concurrency);
  const limits = { deadlineMs, maxBodyBytes, maxWireBytes, allowLoopback, connections };

  async function ask(side: Side, pathAndQuery: string): Promise<Answer> {
    const { baseUrl, apiKey, burst, acquireSlot } = options[side];
    const url = new URL(baseUrl.replace(/\/+$/, "") + pathAndQuery);
    const leave = await rateLimiter.enter(url.origin, burst, signal);
    try {
      if (acquireSlot) await acquireSlot(signal);
      const { outcome, body, headers } = await exchange({
        ...{ url, ...limits, retry: false },
        ...(apiKey !== undefined && { apiKey }),
        ...(signal && { signal }),
      });
      if (outcome.status === 404) return { kind: "absent" };
      const retryAfter = headers["retry-after"];
      if (retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter)) {
        rateLimiter.rest(url.origin, Math.min(Number(retryAfter), maxRestSeconds) * 1_000);
      }
      if (outcome.kind !== "ok" || !body) {
        return { kind: "failed", why: outcome.status ? `${outcome.status}` : outcome.kind };
      }
      const parsed = parseBody(body);
      return parsed.kind === "json"
        ? { kind: "ok", body: parsed.value }
        : { kind: "failed", why: parsed.kind };
    } finally {
      leave();
    }
  }
  return { ask, close: () => connections.close() };
}
