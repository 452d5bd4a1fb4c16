// How every client of the SDK is configured: a deadline for each attempt, and a bounded number of attempts.

import { omitUndefined } from "../omit-undefined.ts";

export type ClientSettings = {
  /** The region of the environment or the profile where it is left out. */
  region?: string | undefined;
  /** For one attempt, from connecting to the response. */
  attemptTimeoutMs?: number;
  maxAttempts?: number;
};

export const clientOptions = ({ region, attemptTimeoutMs = 5_000, maxAttempts = 3 }: ClientSettings = {}) =>
  // The SDK reads a region that is undefined as one that was given.
  omitUndefined<ClientOptions>({
    region: region || undefined,
    maxAttempts,
    // Without throwOnRequestTimeout the SDK only logs a warning at the timeout and goes on waiting.
    requestHandler: {
      connectionTimeout: Math.min(2_000, attemptTimeoutMs),
      requestTimeout: attemptTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });

type ClientOptions = {
  region?: string;
  maxAttempts: number;
  requestHandler: { connectionTimeout: number; requestTimeout: number; throwOnRequestTimeout: boolean };
};

/** For one call with all its attempts: it also ends a response that stops in the middle of its body. */
export const callTimeout = (ms: number) => ({ abortSignal: AbortSignal.timeout(ms) });

/** Names that say nothing. */
const unspecific = ["Error", "UnknownError", "Unknown", "AggregateError"];

/**
 * The name that AWS, its SDK or Node has for an error. Its message is never shown: it may repeat what was sent.
 */
export function errorName(error: unknown): string {
  const { name, message, code, $metadata } = (error ?? {}) as {
    name?: string;
    message?: string;
    code?: string;
    $metadata?: { httpStatusCode?: number };
  };
  if (/region is missing/i.test(message ?? "")) return "RegionMissing";
  const status = $metadata?.httpStatusCode;
  // A response that is no JSON came from something other than the service, such as a gateway.
  const isForeign = name === "SyntaxError" && status !== undefined;
  const isNamed = name !== undefined && !unspecific.includes(name) && !isForeign;
  const fallback = status === undefined ? "unknown" : `Http${status}`;
  const text = isNamed ? name : (code ?? fallback);
  return /^\w{1,60}$/.test(text) ? text : fallback;
}

/**
 * For the log: the name, and what AWS itself says of it, such as which action on which resource is not allowed. The text of
 * any other error may repeat what was sent, and is left out.
 */
export function describeError(given: unknown): string {
  const { cause } = (given ?? {}) as { cause?: { $fault?: string } };
  const error = cause?.$fault === undefined ? given : cause;
  const { $fault, message } = (error ?? {}) as { $fault?: string; message?: unknown };
  const name = errorName(error);
  if ($fault === undefined || typeof message !== "string" || message === "") return name;
  return `${name}: ${message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 300)}`;
}
