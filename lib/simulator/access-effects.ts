// Effects that answer in V1's place: refusals, statuses, redirects.
import { STATUS_CODES } from "node:http";
import { defineEffect, refuse } from "./exchange.ts";

export const accessEffects = {
  unauthorized: defineEffect<{ who: "keyed" | "keyless" | "all" }>({
    stage: "refuse",
    summary: "401 for requests with a key, without one, or all",
    sample: { who: "all" },
    apply({ who }, exchange) {
      if (who === "all" || (who === "keyed") === exchange.keyed) {
        refuse(exchange, 401, "Unauthorized request.");
      }
    },
  }),

  "quota-exhausted": defineEffect<{ limit: number }>({
    stage: "refuse",
    summary: "401 with usage headers for requests with a key",
    sample: { limit: 5000 },
    apply({ limit }, exchange) {
      if (!exchange.keyed) return;
      refuse(exchange, 401, "Unauthorized request.");
      exchange.headers["X-API-Usage-Current"] = String(limit);
      exchange.headers["X-API-Usage-Limit"] = String(limit);
      exchange.headers["X-API-Usage-Status"] = "exhausted";
    },
  }),

  status: defineEffect<{ status: number; retryAfterSeconds?: number }>({
    stage: "refuse",
    summary: "another status: 403, 404, 410, 429, 5xx",
    sample: { status: 503, retryAfterSeconds: 3600 },
    apply({ status, retryAfterSeconds }, exchange) {
      refuse(exchange, status, status === 404 ? "Resource not found." : `${STATUS_CODES[status] ?? status}.`);
      if (retryAfterSeconds !== undefined) exchange.headers["Retry-After"] = String(retryAfterSeconds);
    },
  }),

  redirect: defineEffect<{ status: 301 | 302 | 307 | 308; location: string }>({
    stage: "refuse",
    summary: "a redirect to another path or another origin",
    sample: { status: 302, location: "https://v2.invalid/profiles" },
    apply({ status, location }, exchange) {
      refuse(exchange, status, "Moved.");
      exchange.headers.Location = location;
    },
  }),
};
