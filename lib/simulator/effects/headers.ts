// Effects that answer in V1's place: refusals, statuses, redirects.
import { STATUS_CODES } from "node:http";
import { defineEffect, refuse } from "../exchange.ts";

export const accessEffects = {
  unauthorized: defineEffect<{ who: "authenticated" | "anonymous" | "all" }>({
    stage: "refuse",
    summary: "401 for requests with a key, without one, or all",
    sample: { who: "all" },
    apply({ who }, exchange) {
      if (who === "all" || (who === "authenticated") === exchange.authenticated) {
        refuse(exchange, 401, "Unauthorized request.");
      }
    },
  }),

  "quota-exhausted": defineEffect<{ limit: number }>({
    stage: "refuse",
    summary: "401 with usage headers for requests with a key",
    sample: { limit: 5000 },
    apply({ limit }, exchange) {
      if (!exchange.authenticated) return;
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

// Effects on the headers: the notices by which an API says that it is leaving.
const httpDate = (instant: number) => new Date(instant).toUTCString();

export const noticeEffects = {
  /** `afterMs` counts from the scenario's start, or from the injection. */
  sunset: defineEffect<{ afterMs: number }>({
    stage: "head",
    summary: "a Sunset header (RFC 8594)",
    sample: { afterMs: 47 * 86_400_000 },
    apply({ afterMs }, exchange, { instantOf }) {
      exchange.headers.Sunset = httpDate(instantOf(afterMs));
    },
  }),

  deprecation: defineEffect<{ form: "rfc9745" | "draft-true" | "http-date"; afterMs: number }>({
    stage: "head",
    summary: "a Deprecation header: RFC 9745's date, the draft's true, or an HTTP-date",
    sample: { form: "rfc9745", afterMs: 0 },
    apply({ form, afterMs }, exchange, { instantOf }) {
      const at = instantOf(afterMs);
      exchange.headers.Deprecation =
        form === "draft-true" ? "true" : form === "http-date" ? httpDate(at) : `@${Math.floor(at / 1000)}`;
    },
  }),

  link: defineEffect<{ rel: string; href: string }>({
    stage: "head",
    summary: "a Link header",
    sample: { rel: "successor-version", href: "https://v2.invalid/docs" },
    apply({ rel, href }, exchange) {
      const link = `<${href}>; rel="${rel}"`;
      exchange.headers.Link = exchange.headers.Link ? `${exchange.headers.Link}, ${link}` : link;
    },
  }),

  "wrong-content-type": defineEffect<{ type: string }>({
    stage: "head",
    summary: "JSON under another content type",
    sample: { type: "text/plain; charset=utf-8" },
    apply({ type }, exchange) {
      exchange.headers["Content-Type"] = type;
    },
  }),
};
