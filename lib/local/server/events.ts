// Server-sent events for ticks, sent alerts, and changes of the simulation or the configuration, and a heartbeat by which the
// dashboard knows that its monitor is there. An event says that there is something new, and the API says what.

import type { ServerResponse } from "node:http";
import type { CurrentState, StateEvent } from "../current-state.ts";
import { maxUnreadBytes } from "./admission.ts";

/** A dashboard that missed two of them says that it has no data: `web/connection.js`. */
const heartbeatMs = 15_000;

export type EventStream = { accept(response: ServerResponse): void; close(): void };

/** Without data, a browser would drop it. */
const format = (name: StateEvent | "heartbeat") => `event: ${name}\ndata: {}\n\n`;

export function createEventStream({ subscribe }: Pick<CurrentState, "subscribe">): EventStream {
  const clients = new Set<ServerResponse>();
  const send = (name: StateEvent | "heartbeat") => {
    for (const client of clients) {
      if (client.writableLength > maxUnreadBytes) client.destroy();
      else client.write(format(name));
    }
  };
  const unsubscribe = subscribe(send);
  // An event and not a comment: comments keep a connection open, but a browser cannot see them.
  const heartbeat = setInterval(() => send("heartbeat"), heartbeatMs);
  heartbeat.unref();

  return {
    accept(response) {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      // The event makes the client request the current state, whatever it missed.
      response.write(`retry: 2000\n\n${format("tick")}`);
      clients.add(response);
      response.on("close", () => clients.delete(response));
    },
    close() {
      unsubscribe();
      clearInterval(heartbeat);
      for (const client of clients) client.end();
    },
  };
}
