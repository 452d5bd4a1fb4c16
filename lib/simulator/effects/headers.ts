// Effects that replace the status or change the headers: errors, redirects and deprecation headers.
import { STATUS_CODES } from "node:http";
import { defineEffect, setError } from "../exchange.ts";

export const accessEffects = {
  unauthorized: defineEffect<{ who: "authenticated" | "anonymous" | "all" }>({
    stage: "status",
    summary: "401 for requests with a key, without a key, or all requests",
    sample: { who: "all" },
    apply({ who }, exchange) {
      if (who === "all" || (who === "authenticated") === exchange.authenticated) {
        setError(exchange, 401, "Unauthorized request.");
      }
    },
  }),

  "quota-exhausted": defineEffect<{ limit: number }>({
    stage: "status",
    summary: "401 with usage headers that report an exhausted quota, for requests with a key",
    sample: { limit: 5000 },
    apply({ limit }, exchange) {
      if (!exchange.authenticated) return;
      setError(exchange, 401, "Unauthorized request.");
      exchange.headers["X-API-Usage-Current"] = String(limit);
      exchange.headers["X-API-Usage-Limit"] = String(limit);
      exchange.headers["X-API-Usage-Status"] = "exhausted";
    },
  }),

  status: defineEffect<{ status: number; retryAfterSeconds?: number }>({
    stage: "status",
    summary: "another status, such as 403, 404, 410, 429 or 5xx",
    sample: { status: 503, retryAfterSeconds: 3600 },
    apply({ status, retryAfterSeconds }, exchange) {
      setError(
        exchange,
        status,
        status === 404 ? "Resource not found." : `${STATUS_CODES[status] ?? status}.`,
      );
      if (retryAfterSeconds !== undefined) exchange.headers["Retry-After"] = String(retryAfterSeconds);
    },
  }),

  redirect: defineEffect<{ status: 301 | 302 | 307 | 308; location: string }>({
    stage: "status",
    summary: "a redirect to another path or another origin",
    sample: { status: 302, location: "https://v2.invalid/profiles" },
    apply({ status, location }, exchange) {
      setError(exchange, status, "Moved.");
      exchange.headers.Location = location;
    },
  }),
};

const httpDate = (instant: number) => new Date(instant).toUTCString();

export const noticeEffects = {
  /** `afterMs` is relative to the start of the scenario, or to the injection. */
  sunset: defineEffect<{ afterMs: number }>({
    stage: "headers",
    summary: "a Sunset header (RFC 8594)",
    sample: { afterMs: 47 * 86_400_000 },
    apply({ afterMs }, exchange, { instantOf }) {
      exchange.headers.Sunset = httpDate(instantOf(afterMs));
    },
  }),

  deprecation: defineEffect<{ afterMs: number }>({
    stage: "headers",
    summary: "a Deprecation header (RFC 9745)",
    sample: { afterMs: 0 },
    apply({ afterMs }, exchange, { instantOf }) {
      exchange.headers.Deprecation = `@${Math.floor(instantOf(afterMs) / 1000)}`;
    },
  }),

  link: defineEffect<{ rel: string; href: string }>({
    stage: "headers",
    summary: "a Link header",
    sample: { rel: "successor-version", href: "https://v2.invalid/docs" },
    apply({ rel, href }, exchange) {
      const link = `<${href}>; rel="${rel}"`;
      exchange.headers.Link = exchange.headers.Link ? `${exchange.headers.Link}, ${link}` : link;
    },
  }),

  "wrong-content-type": defineEffect<{ type: string }>({
    stage: "headers",
    summary: "JSON with another content type",
    sample: { type: "text/plain; charset=utf-8" },
    apply({ type }, exchange) {
      exchange.headers["Content-Type"] = type;
    },
  }),
};
