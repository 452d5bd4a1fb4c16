import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** `inAll` of all clients together, `ofAddress` of the clients at one address of another machine. */
type Limit = { inAll: number; ofAddress: number };

/**
 * Enough in all for 1,000 event streams, 500 slow clients and 100 busy readers. The addresses of this machine have no
 * limit of their own, because all readers behind a proxy on this machine have the same one. An office behind one address
 * may have a hundred open dashboards.
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

const names = {
  connections: "open connections",
  streams: "event streams",
  waiting: "waiting requests",
};
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
