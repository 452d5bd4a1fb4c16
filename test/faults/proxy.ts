// A TCP proxy on this machine that breaks real connections: before a request has reached the server, after the server has
// answered and before the answer has reached the client, and in the middle of an answer.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultKind, FaultPlan } from "./plan.ts";

export type BreakingProxy = { url: string; close(): void };

const possible: readonly FaultKind[] = ["error", "delay", "lost-answer", "partial"];

/** `port` names the server in the plan. */
export async function startBreakingProxy(
  target: string,
  plan: FaultPlan,
  port: string,
): Promise<BreakingProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const call = `${port}.connection`;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(targetPort) });
    let fault: FaultKind | undefined;
    /** From the first byte of a request to the first byte of its answer; connections are kept for further requests. */
    let isAsking = false;
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
    client.on("data", (data) => {
      if (!isAsking) fault = plan.draw(call, possible);
      isAsking = true;
      if (fault === "error") return cut();
      const ms = fault === "delay" ? plan.chance(call) * 10 : 0;
      turn = turn.then(async () => {
        if (ms > 0) await sleep(ms);
        upstream.write(data);
      });
    });
    upstream.on("data", (data) => {
      isAsking = false;
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
