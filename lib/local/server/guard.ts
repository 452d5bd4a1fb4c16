import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Scripts and styles only from this server; nothing inline, no frames, no forms, no third parties. Images may be data: the
 * icon of a dashboard that has lost its server cannot be loaded from it.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "X-Frame-Options": "DENY",
};

/** A document with one inline style element, whose hash the policy names: the report, and the form of a signed link. */
export function documentHeaders(html: string, formAction: "'none'" | "'self'"): Record<string, string> {
  const styles = [...html.matchAll(/<style>([^<]*)<\/style>/g)].map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  const policy = `default-src 'none'; style-src ${styles.join(" ")}; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`;
  return { "Content-Security-Policy": policy, "Cache-Control": "no-store" };
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];

/** Prevents DNS rebinding: a foreign page that resolves its name to this machine still sends its own name as Host. */
export function createHostCheck(allowedHosts: readonly string[]): (host: string | undefined) => boolean {
  const names = new Set([...loopbackNames, ...allowedHosts.map((name) => name.toLowerCase())]);
  return (host) => {
    const name = /^(\[[0-9a-f:.]+\]|[^:@/\s]+)(?::\d{1,5})?$/i.exec(host ?? "")?.[1];
    return name !== undefined && names.has(name.toLowerCase());
  };
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** The digests are compared in constant time, whatever the length of the token. */
export function createTokenCheck(token: string): (request: IncomingMessage) => boolean {
  const expected = digest(token);
  return ({ headers }) => {
    const actual = /^Bearer ([\x21-\x7e]{1,200})$/.exec(headers.authorization ?? "")?.[1];
    return actual !== undefined && timingSafeEqual(digest(actual), expected);
  };
}

/** False for requests from pages of another origin, even with a valid token. */
export function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (
    headers["sec-fetch-site"] !== undefined &&
    !/^(?:same-origin|none)$/.test(String(headers["sec-fetch-site"]))
  )
    return false;
  return origin === undefined || URL.parse(origin)?.host === host;
}
