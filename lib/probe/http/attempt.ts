import http from "node:http";
import https from "node:https";
import manifest from "../../../package.json" with { type: "json" };
import { apiKeyHeader } from "../../contract/endpoints.ts";
import type { Observation, Outcome } from "../../records/observation.ts";
import { bareHost, checkedLookup, refusedAddress } from "./addresses.ts";
import { type Collector, collectBody } from "./decoding.ts";
import { type Marks, nameWait, readTimings, watchSocket } from "./timings.ts";

const maxHeaderBytes = 16_384;
const maxHeaders = 200;
const maxInformational = 8;
/** Error bodies are read for their shape alone. */
const maxErrorBodyBytes = 65_536;

const ownHeaders = [
  ["Accept", "application/json"],
  // Others are decoded when they come anyway; asking for the one that all senders know is enough.
  ["Accept-Encoding", "gzip"],
  ["User-Agent", `v1watch/${manifest.version} (+monitor of a deprecated API)`],
].flat();

export type AttemptRequest = {
  url: URL;
  apiKey?: string;
  maxWireBytes: number;
  maxBodyBytes: number;
  /** Local use only: lets 127.0.0.0/8 and ::1 through, and no other refused address. */
  allowLoopback: boolean;
  signal?: AbortSignal;
  /** Sockets to reuse; a fresh one without. */
  connections?: Connections;
  /** Further headers, name after name and value. */
  headers?: readonly string[];
};

export type Attempt = {
  /** `ok` means a 200 that was read whole and decoded, and says nothing about its JSON. */
  outcome: Outcome;
  timings: Observation["timings"];
  bytes: Observation["bytes"];
  tls: Observation["tls"];
  /** In lower case, without cookies. Stays in memory. */
  headers: Record<string, string>;
  status?: number;
  /** Decoded. Stays in memory; null unless it came whole, or `bodyCut`. */
  body: Uint8Array | null;
  /** An error's body was longer than is kept: `body` is its start. */
  bodyCut: boolean;
};

export function attempt(request: AttemptRequest, timeoutMs: number): Promise<Attempt> {
  const { url, signal } = request;
  const isSecure = url.protocol === "https:";
  const startedAt = performance.now();
  const marks: Marks = {};
  let tls: Attempt["tls"] = null;
  let head: http.IncomingMessage | undefined;
  let collector: Collector | undefined;

  return new Promise((resolve) => {
    let outgoing: http.ClientRequest | undefined;
    let isSettled = false;

    const applyResults = (outcome: Outcome, body: Uint8Array | null, bodyCut = false) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      collector?.stop();
      if (!request.connections || !head?.complete) outgoing?.destroy();
      const status = head?.statusCode;
      resolve({
        outcome: status === undefined ? outcome : { ...outcome, status },
        timings: readTimings(startedAt, marks),
        bytes: collector?.bytes ?? { wire: 0, body: 0 },
        tls,
        headers: head ? readHeaders(head) : {},
        ...(status === undefined ? {} : { status }),
        body,
        bodyCut,
      });
    };
    /** An error status is never hidden by what became of its body. */
    const fail = (fault: Outcome) => {
      const outcome = head ? judgeStatus(head.statusCode ?? 0) : fault;
      if (outcome.kind === "ok") applyResults(fault, null);
      else if (fault.kind === "too-large" && fault.detail === "body" && collector) {
        applyResults(outcome, collector.taken(), true);
      } else applyResults(outcome, null);
    };
    const failBy = (error: NodeJS.ErrnoException) => {
      // Bytes after the end of a message are an error to Node; the message before them is whole.
      if (head?.complete) return;
      const fault = readFault(error, isSecure);
      fail(head && fault.kind === "network" ? { ...fault, kind: "truncated" } : fault);
    };
    const stop = () => fail({ kind: "refused", detail: "stopped" });
    const timer = setTimeout(() => fail({ kind: "timeout", detail: nameWait(url, marks) }), timeoutMs);

    const receive = (response: http.IncomingMessage) => {
      marks.head = performance.now();
      head = response;
      if (response.rawHeaders.length > 2 * maxHeaders) return fail({ kind: "too-large", detail: "headers" });
      const outcome = judgeStatus(response.statusCode ?? 0);
      const isOk = outcome.kind === "ok";
      const bodyBytes = isOk ? request.maxBodyBytes : Math.min(maxErrorBodyBytes, request.maxBodyBytes);
      const encoding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
      const limits = { wireBytes: request.maxWireBytes, bodyBytes };
      const taking = collectBody(encoding, limits, (fault) =>
        fault ? fail(fault) : applyResults(outcome, taking.taken()),
      );
      collector = taking;
      if (isOk && Number(response.headers["content-length"]) > request.maxWireBytes) {
        return fail({ kind: "too-large", detail: "wire" });
      }
      response
        .on("data", taking.write)
        .on("end", () => (response.complete ? taking.end() : fail({ kind: "truncated", detail: "closed" })))
        .on("error", failBy)
        .on("close", () => response.readableEnded || fail({ kind: "truncated", detail: "closed" }));
    };

    if (signal?.aborted) return stop();
    signal?.addEventListener("abort", stop, { once: true });
    let informational = 0;
    try {
      outgoing = (isSecure ? https : http)
        .request(describeRequest(request))
        .on("socket", (socket) => {
          watchSocket(socket, marks, (expiresAt) => {
            tls = { expiresAt };
          });
        })
        .on("information", () => {
          if (++informational > maxInformational) fail({ kind: "network", detail: "protocol" });
        })
        .on("upgrade", () => fail({ kind: "network", detail: "protocol" }))
        .on("response", receive)
        .on("error", failBy)
        .end();
    } catch {
      // Node's own words may quote a header; they are dropped.
      fail({ kind: "refused", detail: "request" });
    }
  });
}

function describeRequest({
  url,
  apiKey,
  allowLoopback,
  connections,
  headers = [],
}: AttemptRequest): https.RequestOptions {
  const host = bareHost(url.hostname);
  return {
    host,
    port: url.port || (url.protocol === "https:" ? 443 : 80),
    path: url.pathname + url.search,
    // As a list, which Node writes as it is, in half the time of an object.
    headers: [
      ...["Host", url.host, ...ownHeaders, ...headers],
      ...(apiKey === undefined ? [] : [apiKeyHeader, apiKey]),
    ],
    // A new agent for each request has no session cache: a resumed session shows no certificate.
    agent: connections?.agentFor(url.protocol, allowLoopback) ?? false,
    lookup: checkedLookup(allowLoopback),
    rejectUnauthorized: true,
    insecureHTTPParser: false,
    maxHeaderSize: maxHeaderBytes,
  };
}

function judgeStatus(status: number): Outcome {
  if (status === 200) return { kind: "ok" };
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

// Node's error codes → our own few words. No text of an error ever leaves this file.
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

/** What an error of a request or its socket means, over TLS or not. */
export function readFault(error: NodeJS.ErrnoException, isSecure: boolean): Outcome {
  const code = error.code ?? "";
  if (code === refusedAddress) return { kind: "refused", detail: "address" };
  if (code === "HPE_HEADER_OVERFLOW") return { kind: "too-large", detail: "headers" };
  return { kind: "network", detail: detailOf(error, code, isSecure) };
}

function detailOf(error: NodeJS.ErrnoException, code: string, isSecure: boolean): NetworkDetail {
  if (error.syscall === "getaddrinfo") return "dns";
  // Node uses ECONNRESET for a polite close too, but only a real reset failed in a system call.
  if (code === "ECONNRESET") return error.syscall ? "reset" : "closed";
  if (Object.hasOwn(details, code)) return details[code] ?? "protocol";
  // The parser's codes start so; OpenSSL's are too many to name.
  return isSecure && !code.startsWith("HPE_") ? "tls" : "protocol";
}

// Sockets that outlive one request, for sweeps of many. A probe never uses them: it measures a
// stranger's whole path, DNS and certificate included.
export type Connections = {
  agentFor(protocol: string, allowLoopback: boolean): http.Agent;
  close(): void;
};

export function keepConnections(maxSockets: number): Connections {
  const agents = new Map<string, http.Agent>();
  return {
    agentFor(protocol, allowLoopback) {
      // Apart by policy, so that a socket opened where loopback was allowed serves no stricter request.
      const name = `${protocol}${allowLoopback}`;
      const options = { keepAlive: true, maxSockets, scheduling: "lifo" } as const;
      const agent =
        agents.get(name) ??
        // A resumed TLS session shows no certificate.
        (protocol === "https:"
          ? new https.Agent({ ...options, maxCachedSessions: 0 })
          : new http.Agent(options));
      agents.set(name, agent);
      return agent;
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
}
