// Records when each phase of an attempt ended, on the monotonic clock.
import { isIP, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Observation } from "../../records/observation.ts";
import { bareHost } from "./addresses.ts";

export type PhaseTimes = {
  lookup?: number;
  connect?: number;
  secure?: number;
  head?: number;
  isReused?: true;
};

/**
 * Records the phases of a new socket. `onExpiry` receives the certificate's expiry time, even if the
 * certificate is rejected.
 */
export function recordSocketTimes(
  socket: Socket,
  times: PhaseTimes,
  onExpiry: (expiresAt: string) => void,
  isReused: boolean,
): void {
  const readExpiry = () => {
    // getPeerX509Certificate, called this early, makes Node's check of the host name fail.
    const expiry = new Date(socket instanceof TLSSocket ? socket.getPeerCertificate()?.valid_to : Number.NaN);
    if (!Number.isNaN(expiry.getTime())) onExpiry(expiry.toISOString());
  };
  if (isReused) {
    times.isReused = true;
    readExpiry();
    return;
  }
  // A proxy has resolved the name and connected, all in one.
  if (!socket.connecting) times.connect = performance.now();
  socket.once("lookup", () => {
    times.lookup = performance.now();
  });
  socket.once("connect", () => {
    times.connect = performance.now();
  });
  // Runs before Node's own listener, which destroys the socket of an expired certificate.
  socket.prependOnceListener("secure", () => {
    times.secure = performance.now();
    readExpiry();
  });
}

/** The phase that the attempt was in when the deadline passed. */
export function findTimeoutPhase(
  url: URL,
  times: PhaseTimes,
): "dns" | "connect" | "tls" | "headers" | "body" {
  if (times.head !== undefined) return "body";
  if (times.isReused) return "headers";
  if (times.connect === undefined) {
    return times.lookup === undefined && !isIP(bareHost(url.hostname)) ? "dns" : "connect";
  }
  return url.protocol === "https:" && times.secure === undefined ? "tls" : "headers";
}

const roundMs = (ms: number) => Math.round(ms * 10) / 10;

/**
 * firstByteMs and totalMs are measured from the start; the others are durations of phases. A reused socket
 * has no phases. Through a proxy, tcpMs is the time until the proxy has connected to the target, and dnsMs is not known.
 */
export function readTimings(
  startedAt: number,
  { lookup, connect, secure, head }: PhaseTimes,
): Observation["timings"] {
  return {
    dnsMs: lookup === undefined ? undefined : roundMs(lookup - startedAt),
    tcpMs: connect === undefined ? undefined : roundMs(connect - (lookup ?? startedAt)),
    tlsMs: connect === undefined || secure === undefined ? undefined : roundMs(secure - connect),
    firstByteMs: head === undefined ? undefined : roundMs(head - startedAt),
    totalMs: roundMs(performance.now() - startedAt),
  };
}
