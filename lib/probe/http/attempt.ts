// One HTTP request with a deadline and size limits. Every failure becomes an outcome; nothing is thrown.
import http from "node:http";
import https from "node:https";
import { TLSSocket } from "node:tls";
import manifest from "../../../package.json" with { type: "json" };
import { apiKeyHeader } from "../../contract/endpoints.ts";
import type { HttpProxy } from "../../ports.ts";
import type { Observation, Outcome } from "../../records/observation.ts";
import { type AddressPolicy, bareHost, checkedLookup, refusedAddress } from "./addresses.ts";
import { type Collector, collectBody } from "./decoding.ts";
import { agentThrough, connectThrough, ProxyError, proxyFor } from "./proxy.ts";
import { findTimeoutPhase, type PhaseTimes, readTimings, recordSocketTimes } from "./timings.ts";

const maxHeaderBytes = 16_384;
const maxHeaders = 200;
const maxInformational = 8;
/** Only the shape of an error body is used. */
const maxErrorBodyBytes = 65_536;

const ownHeaders = [
  ["Accept", "application/json"],
  // Other encodings are decoded when a server uses them, but every server supports gzip.
  ["Accept-Encoding", "gzip"],
  ["User-Agent", `v1watch/${manifest.version} (+monitor of a deprecated API)`],
].flat();

export type AttemptRequest = AddressPolicy & {
  url: URL;
  apiKey?: string | undefined;
  /** Further headers, name after name and value. */
  headers?: readonly string[] | undefined;
  /** Of a body as it is transferred, and of the decoded one. */
  maxBodyBytes: number;
  signal?: AbortSignal | undefined;
  /** Without it, and for what it excepts, the target is connected to directly. */
  proxy?: HttpProxy | undefined;
  /** Sockets to reuse. Without it, every request opens a new socket. */
  connections?: ConnectionPool | undefined;
};

export type Attempt = {
  /** `ok` means a 200 whose body was received completely and decoded. Its JSON is not checked here. */
  outcome: Outcome;
  timings: Observation["timings"];
  bytes: Observation["bytes"];
  tls: Observation["tls"];
  /** With whom it spoke; without an address through a proxy. Never stored. */
  connection?: { address?: string | undefined; tlsVersion?: string | undefined } | undefined;
  /** Names in lower case, without cookies. Never stored. */
  headers: Record<string, string>;
  status?: number | undefined;
  /** The decoded body. Never stored. null when it is incomplete. */
  body: Uint8Array | null;
};

export function attempt(request: AttemptRequest, timeoutMs: number): Promise<Attempt> {
  const { url, signal } = request;
  const through = proxyFor(request.proxy, url);
  const isSecure = url.protocol === "https:";
  const startedAt = performance.now();
  const times: PhaseTimes = {};
  let tls: Attempt["tls"] = null;
  let connection: Attempt["connection"];
  let head: http.IncomingMessage | undefined;
  let collector: Collector | undefined;

  return new Promise((resolve) => {
    let outgoing: http.ClientRequest | undefined;
    let ownAgent: http.Agent | undefined;
    let isSettled = false;

    const settle = (outcome: Outcome, body: Uint8Array | null) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      collector?.stop();
      if (!request.connections || !head?.complete) outgoing?.destroy();
      ownAgent?.destroy();
      const status = head?.statusCode;
      resolve({
        outcome: status === undefined ? outcome : { ...outcome, status },
        timings: readTimings(startedAt, times),
        bytes: collector?.bytes ?? { wire: 0, body: 0 },
        tls,
        connection,
        headers: head ? readHeaders(head) : {},
        status,
        body,
      });
    };
    /** An error status takes precedence over a fault in its body. */
    const fail = (fault: Outcome) => {
      const outcome = head ? classifyStatus(head.statusCode ?? 0) : fault;
      settle(outcome.kind === "ok" ? fault : outcome, null);
    };
    const failWith = (error: NodeJS.ErrnoException) => {
      // Node reports bytes after the end of a message as an error, but the message itself is complete.
      if (head?.complete) return;
      const fault = classifyError(error, isSecure);
      fail(head && fault.kind === "network" ? { ...fault, kind: "truncated" } : fault);
    };
    const stop = () => fail({ kind: "refused", detail: "stopped" });
    const timer = setTimeout(
      () =>
        fail(
          through && times.connect === undefined && !times.isReused
            ? { kind: "refused", detail: "proxy-slow" }
            : { kind: "timeout", detail: findTimeoutPhase(url, times) },
        ),
      timeoutMs,
    );

    const receive = (response: http.IncomingMessage) => {
      times.head = performance.now();
      head = response;
      if (response.rawHeaders.length > 2 * maxHeaders) return fail({ kind: "too-large", detail: "headers" });
      const outcome = classifyStatus(response.statusCode ?? 0);
      const maxBytes =
        outcome.kind === "ok" ? request.maxBodyBytes : Math.min(maxErrorBodyBytes, request.maxBodyBytes);
      const encoding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
      const bodyCollector = collectBody(encoding, maxBytes, (result) =>
        "fault" in result ? fail(result.fault) : settle(outcome, result.body),
      );
      collector = bodyCollector;
      if (Number(response.headers["content-length"]) > maxBytes) {
        return fail({ kind: "too-large", detail: "wire" });
      }
      response
        .on("data", bodyCollector.write)
        .on("end", () =>
          response.complete ? bodyCollector.end() : fail({ kind: "truncated", detail: "closed" }),
        )
        .on("error", failWith);
    };

    if (signal?.aborted) return stop();
    signal?.addEventListener("abort", stop);
    let informational = 0;
    if (!request.connections) ownAgent = agentThrough(request.proxy, url);
    try {
      outgoing = (isSecure ? https : http)
        .request(
          describeRequest(request, ownAgent ?? request.connections?.agentFor(url.protocol, request, through)),
        )
        .on("socket", (socket) => {
          const noteConnection = () => {
            const tlsVersion = socket instanceof TLSSocket ? (socket.getProtocol() ?? undefined) : undefined;
            connection = { address: through ? undefined : socket.remoteAddress, tlsVersion };
          };
          // Through a proxy, a new socket is connected, too.
          const isReused = through ? outgoing?.reusedSocket === true : !socket.connecting;
          if (isReused) noteConnection();
          else {
            // Before the listeners that may destroy the socket.
            socket.prependOnceListener("connect", noteConnection);
            socket.prependOnceListener("secure", noteConnection);
          }
          const noteExpiry = (expiresAt: string) => {
            tls = { expiresAt };
          };
          recordSocketTimes(socket, times, noteExpiry, isReused);
        })
        .on("information", () => {
          if (++informational > maxInformational) fail({ kind: "network", detail: "protocol" });
        })
        .on("upgrade", () => fail({ kind: "network", detail: "protocol" }))
        .on("response", receive)
        .on("error", failWith)
        .end();
    } catch {
      // The error's message is dropped, because it may quote a header with the key.
      fail({ kind: "refused", detail: "request" });
    }
  });
}

function describeRequest(
  { url, apiKey, allowLoopback, allowPrivateNetworks, headers = [] }: AttemptRequest,
  agent: http.Agent | undefined,
): https.RequestOptions {
  const host = bareHost(url.hostname);
  return {
    host,
    port: url.port,
    path: url.pathname + url.search,
    // As a flat list, which keeps the order and the letter case of the headers.
    headers: [
      ...["Host", url.host, ...ownHeaders, ...headers],
      ...(apiKey === undefined ? [] : [apiKeyHeader, apiKey]),
    ],
    // A new agent for each request has no TLS session cache. A resumed session would not show the
    // certificate.
    agent: agent ?? false,
    lookup: checkedLookup({ allowLoopback, allowPrivateNetworks }),
    rejectUnauthorized: true,
    insecureHTTPParser: false,
    maxHeaderSize: maxHeaderBytes,
  };
}

/** These have no body, or a part of one. */
const withoutWholeBody: readonly number[] = [204, 205, 206];

function classifyStatus(status: number): Outcome {
  if (status >= 200 && status < 300 && !withoutWholeBody.includes(status)) return { kind: "ok" };
  if (status === 401) return { kind: "unauthorized" };
  return { kind: status >= 300 && status < 400 ? "redirect" : "status" };
}

function readHeaders(response: http.IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  if (response.rawHeaders.length > 2 * maxHeaders) return headers;
  for (const [name, value] of Object.entries(response.headers)) {
    if (typeof value === "string") headers[name] = value;
  }
  return headers;
}

// Maps Node's error codes to fixed terms. The text of an error never leaves this file.
type NetworkDetail =
  | "dns"
  | "refused"
  | "reset"
  | "unreachable"
  | "tls"
  | "tls-expired"
  | "tls-hostname"
  | "closed"
  | "protocol";

const details: Record<string, NetworkDetail> = {
  ECONNREFUSED: "refused",
  EPIPE: "reset",
  EHOSTUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  ENETUNREACH: "unreachable",
  ENETDOWN: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  EACCES: "unreachable",
  EPERM: "unreachable",
  ETIMEDOUT: "unreachable",
  CERT_HAS_EXPIRED: "tls-expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls-hostname",
};

/** Classifies an error of a request or of its socket. */
export function classifyError(error: NodeJS.ErrnoException, isSecure: boolean): Outcome {
  const code = error.code ?? "";
  if (error instanceof ProxyError) return error.outcome;
  if (code === refusedAddress) return { kind: "refused", detail: "address" };
  if (code === "HPE_HEADER_OVERFLOW") return { kind: "too-large", detail: "headers" };
  return { kind: "network", detail: findNetworkDetail(error, code, isSecure) };
}

function findNetworkDetail(error: NodeJS.ErrnoException, code: string, isSecure: boolean): NetworkDetail {
  if (error.syscall === "getaddrinfo") return "dns";
  // Node also reports a normal close as ECONNRESET, but only a real reset has a failed system call.
  if (code === "ECONNRESET") return error.syscall ? "reset" : "closed";
  if (Object.hasOwn(details, code)) return details[code] ?? "protocol";
  // The codes of the HTTP parser start with HPE_. All other codes over TLS come from OpenSSL.
  return isSecure && !code.startsWith("HPE_") ? "tls" : "protocol";
}

/**
 * Reuses sockets for many requests, as a parity run needs. A probe does not use it, because it measures DNS,
 * the connection and the certificate each time.
 */
export type ConnectionPool = {
  agentFor(protocol: string, policy: AddressPolicy, through?: HttpProxy): http.Agent;
  close(): void;
};

export function createConnectionPool(maxSockets: number): ConnectionPool {
  const agents = new Map<string, http.Agent>();
  return {
    agentFor(protocol, { allowLoopback, allowPrivateNetworks = [] }, through) {
      // One agent per policy, so that a socket that a policy allows is never used by a stricter request.
      const way = through ? "proxy" : "direct";
      const name = [protocol, way, allowLoopback, ...allowPrivateNetworks].join(" ");
      const options = { keepAlive: true, maxSockets, scheduling: "lifo" } as const;
      const known = agents.get(name);
      if (known) return known;
      const agent =
        // A resumed TLS session would not show the certificate.
        protocol === "https:"
          ? new https.Agent({ ...options, maxCachedSessions: 0 })
          : new http.Agent(options);
      agents.set(name, through ? connectThrough(agent, through) : agent);
      return agent;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}
