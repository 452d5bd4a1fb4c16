// Checks of the Host, the token and the origin of a request, the limits of clients, the security headers of the responses,
// and the files of the page.
import { createHash, timingSafeEqual } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Scripts and styles only from this server; nothing inline, no frames, no forms, no third parties. */
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

/** The report has one inline style element: the policy names its hash. */
export function reportHeaders(html: string): Record<string, string> {
  const styles = [...html.matchAll(/<style>([^<]*)<\/style>/g)].map(
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  const policy = `default-src 'none'; style-src ${styles.join(" ")}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
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

// What clients may use of this process, so that no number of them delays a check: connections, event streams, requests that
// wait for their turn, and the time that each of them may take.
/** `inAll` of all clients together, `ofAddress` of the clients at one address of another machine. */
type Limit = { inAll: number; ofAddress: number };

/**
 * Enough in all for 1,000 event streams, 500 slow clients and 100 busy readers. The addresses of this machine have no
 * limit of their own, because all readers behind a proxy on this machine have the same one. An office behind one address
 * may have a hundred open pages.
 */
export const limits = {
  connections: { inAll: 2_000, ofAddress: 250 },
  streams: { inAll: 1_200, ofAddress: 100 },
  waiting: { inAll: 400, ofAddress: 50 },
} satisfies Record<string, Limit>;
export type Limits = Record<keyof typeof limits, Limit>;

/** The time for the headers of a request, for a whole request, and for a client to read a response. */
export const timeLimits = { headersMs: 5_000, requestMs: 10_000, responseMs: 30_000 };

/** A reader of events that does not read is disconnected before more than this waits for it in our memory. */
export const maxUnreadBytes = 64 * 1_024;

/** Connections beyond the limit that still get a response which says so. Those beyond these are closed at once. */
export const refusedConnections = 100;

/** 503: everybody has to wait. 429: only this address has to. */
export type Refusal = { status: 503 | 429; error: string; retryAfterSeconds: number };

const names = { connections: "open connections", streams: "event streams", waiting: "waiting requests" };
const retryAfterSeconds = { connections: 10, streams: 30, waiting: 1 };

const isOfThisMachine = (address: string) => /^(?:::ffff:)?127\.|^::1$/.test(address);

type Counter = {
  /** Counts one more, or says why not. */
  take(address: string): Refusal | undefined;
  release(address: string): void;
};

export function createCounter(name: keyof Limits, { inAll, ofAddress }: Limit): Counter {
  const counts = new Map<string, number>();
  let total = 0;
  const refuse = (status: 503 | 429, most: number) => ({
    status,
    error: `${status === 503 ? "this server" : "your address"} has its ${most} ${names[name]} already; try again in ${retryAfterSeconds[name]} s`,
    retryAfterSeconds: retryAfterSeconds[name],
  });
  return {
    take(address) {
      const count = counts.get(address) ?? 0;
      if (count >= ofAddress && !isOfThisMachine(address)) return refuse(429, ofAddress);
      if (total >= inAll) return refuse(503, inAll);
      counts.set(address, count + 1);
      total += 1;
      return undefined;
    },
    release(address) {
      const count = counts.get(address) ?? 0;
      if (count > 1) counts.set(address, count - 1);
      else counts.delete(address);
      total -= 1;
    },
  };
}

const addressOf = ({ remoteAddress = "unknown" }: Socket) => remoteAddress;

export type Admission = {
  /** Counts a new connection until it is closed. */
  noteConnection(socket: Socket): void;
  /** Why a request is refused that came by one connection too many. */
  refusalOf(request: IncomingMessage): Refusal | undefined;
  /** Counts an event stream until its connection is closed, or says why not. */
  admitStream(request: IncomingMessage): Refusal | undefined;
  /** Resolves when it is the request's turn, or at once with why it has none. */
  waitForTurn(request: IncomingMessage): Promise<Refusal | undefined>;
};

export function createAdmission(given: Limits = limits): Admission {
  const connections = createCounter("connections", given.connections);
  const streams = createCounter("streams", given.streams);
  const waiting = createCounter("waiting", given.waiting);
  const refused = new WeakMap<Socket, Refusal>();
  const queue = createTurns();
  return {
    noteConnection(socket) {
      const address = addressOf(socket);
      const refusal = connections.take(address);
      if (refusal) refused.set(socket, refusal);
      else socket.once("close", () => connections.release(address));
    },
    refusalOf: ({ socket }) => refused.get(socket),
    admitStream({ socket }) {
      const address = addressOf(socket);
      const refusal = streams.take(address);
      if (!refusal) socket.once("close", () => streams.release(address));
      return refusal;
    },
    async waitForTurn({ socket }) {
      const address = addressOf(socket);
      const refusal = waiting.take(address);
      if (refusal) return refusal;
      await queue();
      waiting.release(address);
      return undefined;
    },
  };
}

/**
 * One request at a time. After each one the process rests as long as the request took, so that timers and the
 * responses of V1 are handled in between, however many requests wait.
 */
function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isRunning = false;
  function runNext(): void {
    const next = waiting.shift();
    isRunning = next !== undefined;
    if (!next) return;
    const fromMs = performance.now();
    next();
    // The request is handled in the microtasks before this callback.
    setImmediate(() => {
      const tookMs = performance.now() - fromMs;
      if (tookMs < 1) runNext();
      else setTimeout(runNext, Math.min(tookMs, maxRestMs));
    });
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (isRunning) return;
      isRunning = true;
      setImmediate(runNext);
    });
}

const maxRestMs = 100;

// The files of the folder web, and the chart library. Every view has a URL of its own, and the server answers each of
// them with the same document.
export type StaticFile = { type: string; body: Buffer; tag: string };

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

const views =
  /^\/(?:(?:incidents|drift|deprecation|undocumented|notifications|checks|simulator)\/?|(?:incidents|checks)\/.{1,160})?$/;

const readStatic = (path: string): StaticFile => {
  const body = readFileSync(path);
  const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 20)}"`;
  return { type: types[extname(path)] ?? "application/octet-stream", body, tag };
};

export function loadStaticFiles(): (pathname: string) => StaticFile | undefined {
  const folder = fileURLToPath(new URL("../../../web", import.meta.url));
  const files = new Map(readdirSync(folder).map((name) => [`/${name}`, readStatic(join(folder, name))]));
  const resolve = (name: string) => fileURLToPath(import.meta.resolve(name));
  files.set("/uplot.js", readStatic(resolve("uplot/dist/uPlot.iife.min.js")));
  files.set("/uplot.css", readStatic(resolve("uplot/dist/uPlot.min.css")));
  const page = files.get("/index.html");
  return (pathname) => (views.test(pathname) ? page : files.get(pathname));
}
