// Sends one GET request of a comparison and returns the parsed body, `absent` for a 404, or the failure reason.

import { createConnectionPool } from "../probe/http/attempt.ts";
import { type ExchangeRequest, exchange } from "../probe/http/exchange.ts";
import { parseBody } from "../probe/validate/parse-body.ts";
import { type Burst, createRateLimiter } from "./limits.ts";

export type ApiVersion = "v1" | "v2";
export type FetchResult =
  | { kind: "ok"; body: unknown }
  | { kind: "absent" }
  | { kind: "failed"; why: string };

export type FetchBody = (version: ApiVersion, pathAndQuery: string) => Promise<FetchResult>;

export type Target = {
  baseUrl: string;
  apiKey?: string | undefined;
  burst?: Burst | undefined;
  /** Called before each request, because other processes may share the target's rate limit. */
  acquireSlot?: ((signal?: AbortSignal) => Promise<void>) | undefined;
};

export type ParityClientOptions = Pick<
  ExchangeRequest,
  "allowLoopback" | "allowPrivateNetworks" | "proxy"
> & {
  v1: Target;
  v2: Target;
  deadlineMs: number;
  maxBodyBytes: number;
  /** Maximum concurrent requests to each version. */
  concurrency: number;
  signal?: AbortSignal;
};

const maxRetryAfterSeconds = 3_600;

export function createParityClient(options: ParityClientOptions): { fetchBody: FetchBody; close(): void } {
  const { deadlineMs, maxBodyBytes, concurrency, signal } = options;
  const { allowLoopback, allowPrivateNetworks, proxy } = options;
  const connections = createConnectionPool(concurrency);
  const rateLimiter = createRateLimiter(concurrency);
  const policy = { allowLoopback, allowPrivateNetworks, proxy };
  const limits = { deadlineMs, maxBodyBytes, connections };

  async function fetchBody(version: ApiVersion, pathAndQuery: string): Promise<FetchResult> {
    const { baseUrl, apiKey, burst, acquireSlot } = options[version];
    const url = new URL(baseUrl.replace(/\/+$/, "") + pathAndQuery);
    const release = await rateLimiter.acquire(url.origin, burst, signal);
    try {
      if (acquireSlot) await acquireSlot(signal);
      const { outcome, body, headers } = await exchange({
        url,
        ...policy,
        ...limits,
        retry: false,
        apiKey,
        signal,
      });
      if (outcome.status === 404) return { kind: "absent" };
      const retryAfter = headers["retry-after"];
      if (retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter))
        rateLimiter.pauseFor(url.origin, Math.min(Number(retryAfter), maxRetryAfterSeconds) * 1_000);
      if (outcome.kind !== "ok" || !body)
        return { kind: "failed", why: outcome.status ? `${outcome.status}` : outcome.kind };
      const parsed = parseBody(body, apiKey);
      return parsed.kind === "json"
        ? { kind: "ok", body: parsed.value }
        : { kind: "failed", why: parsed.kind };
    } finally {
      release();
    }
  }
  return { fetchBody, close: () => connections.close() };
}
