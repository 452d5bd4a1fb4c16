// One exchange with V1: checks the request, sends it, and retries a network fault once within the deadline.
import { setTimeout as pause } from "node:timers/promises";
import type { Observation, Outcome } from "../../records/observation.ts";
import { isOfProxy } from "../../records/outcome.ts";
import { isAllowedHost } from "./addresses.ts";
import { type Attempt, type AttemptRequest, attempt } from "./attempt.ts";

const usualRetryPauseMs = 250;

export type ExchangeRequest = AttemptRequest & {
  /** Covers DNS, connection, TLS, headers, body and the second attempt. */
  deadlineMs: number;
  /** Whether a network fault is retried once. Default: true. */
  retry?: boolean;
  /** A replay does not wait. */
  retryPauseMs?: number;
};

/** All fields except `attempts` describe the last attempt. */
export type Exchange = Attempt & { attempts: Observation["attempts"] };

export async function exchange(request: ExchangeRequest): Promise<Exchange> {
  const refusal = findRefusal(request);
  if (refusal) return refuse(refusal);
  const retryPauseMs = request.retryPauseMs ?? usualRetryPauseMs;
  const deadlineAt = performance.now() + request.deadlineMs;
  const first = await attempt(request, request.deadlineMs);
  const attempts = summarize(first);
  const canRetry = first.outcome.kind === "network" && (request.retry ?? true);
  if (!canRetry || deadlineAt - performance.now() <= retryPauseMs) return { ...first, attempts };
  await pause(retryPauseMs, undefined, request.signal ? { signal: request.signal } : {}).catch(() => {});
  // A stop during the pause ends the exchange without a second attempt.
  if (request.signal?.aborted) return { ...refuse("stopped"), attempts };
  // On a busy machine a pause takes longer than it should.
  const leftMs = deadlineAt - performance.now();
  if (leftMs <= 0) return { ...first, attempts };
  const second = await attempt(request, leftMs);
  return { ...second, attempts: [...attempts, ...summarize(second)] };
}

function findRefusal(request: ExchangeRequest): string | undefined {
  const { url, apiKey } = request;
  if (url.protocol !== "http:" && url.protocol !== "https:") return "scheme";
  if (url.username || url.password) return "credentials";
  // Control characters would split the header. An empty key would look like an anonymous request.
  if (apiKey !== undefined && !/^[\x20-\x7e\xa0-\xff]+$/.test(apiKey)) return "bad-key";
  return isAllowedHost(url.hostname, request) ? undefined : "address";
}

function refuse(detail: string): Exchange {
  const outcome: Outcome = { kind: "refused", detail };
  const bytes = { wire: 0, body: 0 };
  return {
    outcome,
    attempts: [],
    timings: { totalMs: 0 },
    bytes,
    tls: null,
    headers: {},
    body: null,
  };
}

/** Where a proxy opens no connection, nothing was attempted. */
function summarize({ outcome, timings }: Attempt): Exchange["attempts"] {
  const { kind, detail } = outcome;
  if (kind === "refused" && isOfProxy(outcome)) return [];
  return [{ kind, detail, totalMs: timings.totalMs }];
}
