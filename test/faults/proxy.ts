// A TCP proxy on this machine that breaks real connections: a request is refused, cut in two, late, overtaken by another
// one or reaches the server twice, and an answer is cut in two or lost.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultKind, FaultPlan } from "./plan.ts";

export type BreakingProxy = { url: string; close(): void };

export const connectionFaults: readonly FaultKind[] = [
  ...(["error", "delay", "duplicate", "lost-answer", "partial", "order"] as const),
];

const maxDelayMs = 10;
/** A request that nothing overtakes is held back no longer. */
const maxHeldMs = 20;
/** A second copy reaches the server at once, or when up to so many later requests have been answered. */
const maxLaterRequests = 40;
/** Of a request that is cut; the servers that tests start in their own process do not survive a part of a body. */
const cutBytes = 40;

/** `port` names the server in the plan. */
export async function startBreakingProxy(
  target: string,
  plan: FaultPlan,
  port: string,
): Promise<BreakingProxy> {
  const address = { host: new URL(target).hostname, port: Number(new URL(target).port) };
  const call = `${port}.connection`;
  const sockets = new Set<Socket>();
  /** Requests are numbered in the order in which they begin, over all connections. */
  let requests = 0;
  const held = new Set<{ number: number; release(): void }>();
  const copies: { bytes: Buffer; afterNumber: number }[] = [];

  /** Resolves when a request that began later has been answered. */
  async function beOvertaken(number: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = { number, release: resolve };
    held.add(one);
    await Promise.race([promise, sleep(maxHeldMs)]);
    held.delete(one);
  }
  /** Over a connection of its own; nobody reads the answer. */
  function sendCopy(bytes: Buffer): void {
    const socket = connect(address, () => void socket.write(bytes));
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  }
  function noteAnswer(number: number): void {
    for (const one of held) if (one.number < number) one.release();
    for (const one of copies.filter(({ afterNumber }) => afterNumber <= number)) {
      copies.splice(copies.indexOf(one), 1);
      sendCopy(one.bytes);
    }
  }

  const server = createServer((client) => {
    const upstream = connect(address);
    let fault: FaultKind | undefined;
    /** From the first byte of a request to the first byte of its answer; connections are kept for further requests. */
    let isAsking = false;
    let number = 0;
    let chance = 0;
    let request: Buffer[] = [];
    let turn = Promise.resolve();
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", cut);
      socket.on("close", () => {
        sockets.delete(socket);
        // What was received is handed on first.
        void turn.then(() => (socket === client ? upstream : client).end());
      });
    }
    function begin(): void {
      fault = plan.draw(call, connectionFaults);
      requests += 1;
      [isAsking, number, chance, request] = [true, requests, plan.chance(call), []];
      const [own, ms] = [number, chance * maxDelayMs];
      if (fault === "delay") turn = turn.then(() => sleep(ms));
      if (fault === "order") turn = turn.then(() => beOvertaken(own));
    }
    client.on("data", (data) => {
      if (!isAsking) begin();
      request.push(data);
      if (fault === "error") return cut();
      const isCut = fault === "partial" && chance < 0.5;
      turn = turn.then(() => {
        if (isCut) upstream.write(data.subarray(0, cutBytes), cut);
        else upstream.write(data);
      });
    });
    upstream.on("data", (data) => {
      if (isAsking) {
        isAsking = false;
        if (fault === "duplicate") {
          const later = Math.max(0, chance - 0.5) * 2 * maxLaterRequests;
          copies.push({ bytes: Buffer.concat(request), afterNumber: number + later });
        }
        noteAnswer(number);
      }
      if (fault === "lost-answer") return cut();
      if (fault === "partial") {
        client.write(data.subarray(0, Math.ceil(data.length / 2)), cut);
        return;
      }
      client.write(data);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
