// Effects on the headers: the notices by which an API says that it is leaving.
import { defineEffect } from "./exchange.ts";

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
