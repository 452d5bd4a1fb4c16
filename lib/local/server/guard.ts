// Who may ask, and what the browser is allowed to do with the answer.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Scripts and styles from here and nowhere else; nothing inline, no frame, no form, no stranger. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "X-Frame-Options": "DENY",
};

const always = ["localhost", "127.0.0.1", "[::1]"];

/** By name alone: a page elsewhere that rebinds its name to this machine still sends its own name. */
export function createHostCheck(further: readonly string[]): (host: string | undefined) => boolean {
  const names = new Set([...always, ...further.map((name) => name.toLowerCase())]);
  return (host) => {
    const name = /^(\[[0-9a-f:.]+\]|[^:@/\s]+)(?::\d{1,5})?$/i.exec(host ?? "")?.[1];
    return name !== undefined && names.has(name.toLowerCase());
  };
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** In constant time, whatever the length. */
export function createTokenCheck(token: string): (request: IncomingMessage) => boolean {
  const wanted = digest(token);
  return ({ headers }) => {
    const given = /^Bearer ([\x21-\x7e]{1,200})$/.exec(headers.authorization ?? "")?.[1];
    return given !== undefined && timingSafeEqual(digest(given), wanted);
  };
}

/** A browser says where a request comes from; a stranger's page gets nothing, token or not. */
export function isOwnOrigin({ headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (
    headers["sec-fetch-site"] !== undefined &&
    !/^(?:same-origin|none)$/.test(String(headers["sec-fetch-site"]))
  )
    return false;
  return origin === undefined || URL.parse(origin)?.host === host;
}
