// When each phase of an attempt ended, on the monotonic clock.
import { isIP, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Observation } from "../../records/observation.ts";
import { bareHost } from "./addresses.ts";

export type Marks = { lookup?: number; connect?: number; secure?: number; head?: number; isReused?: true };

/** Marks the phases of a new socket; `sawExpiry` hears when its certificate ends, even if it is refused. */
export function watchSocket(socket: Socket, marks: Marks, sawExpiry: (expiresAt: string) => void): void {
  const readExpiry = () => {
    // Not getPeerX509Certificate: called this early, it makes Node's check of the host name fail.
    const expiry = new Date(socket instanceof TLSSocket ? socket.getPeerCertificate()?.valid_to : Number.NaN);
    if (!Number.isNaN(expiry.getTime())) sawExpiry(expiry.toISOString());
  };
  if (!socket.connecting) {
    marks.isReused = true;
    readExpiry();
    return;
  }
  socket.once("lookup", () => {
    marks.lookup = performance.now();
  });
  socket.once("connect", () => {
    marks.connect = performance.now();
  });
  // Before Node's own listener, which destroys the socket of an expired certificate, date and all.
  socket.prependOnceListener("secure", () => {
    marks.secure = performance.now();
    readExpiry();
  });
}

/** What was being waited for when time ran out. */
export function nameWait(url: URL, marks: Marks): "dns" | "connect" | "tls" | "headers" | "body" {
  if (marks.head !== undefined) return "body";
  if (marks.isReused) return "headers";
  if (marks.connect === undefined) {
    return marks.lookup === undefined && !isIP(bareHost(url.hostname)) ? "dns" : "connect";
  }
  return url.protocol === "https:" && marks.secure === undefined ? "tls" : "headers";
}

const roundMs = (ms: number) => Math.round(ms * 10) / 10;

/** firstByteMs and totalMs count from the start, the others are phases; a reused socket has no phases. */
export function readTimings(
  startedAt: number,
  { lookup, connect, secure, head }: Marks,
): Observation["timings"] {
  return {
    ...(lookup === undefined ? {} : { dnsMs: roundMs(lookup - startedAt) }),
    ...(connect === undefined ? {} : { tcpMs: roundMs(connect - (lookup ?? startedAt)) }),
    ...(connect === undefined || secure === undefined ? {} : { tlsMs: roundMs(secure - connect) }),
    ...(head === undefined ? {} : { firstByteMs: roundMs(head - startedAt) }),
    totalMs: roundMs(performance.now() - startedAt),
  };
}
