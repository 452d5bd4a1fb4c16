// Server-sent events for ticks, sent alerts, and changes of the simulation or the configuration, and a heartbeat by which the
// dashboard knows that its monitor is there. The event id is the sequence number of the last sent alert, so that a client that
// reconnects, also after a server restart, receives the missed alerts.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { CurrentState, StateEvent } from "../current-state.ts";
import type { History, SentAlert } from "../store/history.ts";
import { maxUnreadBytes } from "./admission.ts";

const maxReplayedAlerts = 50;
/** A dashboard that missed two of them says that it has no data: `web/page.js`. */
const heartbeatMs = 15_000;

export type EventStream = { accept(request: IncomingMessage, response: ServerResponse): void; close(): void };

export const alertSentEvent = ({ seq, alert }: SentAlert): StateEvent => {
  const { id, at, event, severity, subject } = alert;
  return { name: "alert-sent", data: { seq, id, at, event, severity, subject } };
};

export type EventSources = {
  currentState: CurrentState;
  history: History;
};

export function createEventStream({ currentState, history }: EventSources): EventStream {
  const clients = new Set<ServerResponse>();
  let lastSeq = history.sentAlerts(1)[0]?.seq ?? 0;
  const send = (client: ServerResponse, text: string) => {
    if (client.writableLength > maxUnreadBytes) client.destroy();
    else client.write(text);
  };
  const format = ({ name, data }: StateEvent) => {
    const { seq } = data as { seq?: number };
    if (name === "alert-sent" && seq !== undefined) lastSeq = Math.max(lastSeq, seq);
    return `event: ${name}\nid: ${lastSeq}\ndata: ${JSON.stringify(data)}\n\n`;
  };
  const unsubscribe = currentState.subscribe((event) => {
    const text = format(event);
    for (const client of clients) send(client, text);
  });
  // An event and not a comment: comments keep a connection open, but a browser cannot see them.
  const heartbeat = setInterval(() => {
    const text = format({ name: "heartbeat", data: {} });
    for (const client of clients) send(client, text);
  }, heartbeatMs);
  heartbeat.unref();

  return {
    accept(request, response) {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      response.write("retry: 2000\n\n");
      const lastEventId = /^\d{1,15}$/.exec(String(request.headers["last-event-id"] ?? ""))?.[0];
      if (lastEventId !== undefined)
        for (const sent of history.sentAlertsAfter(Number(lastEventId), maxReplayedAlerts))
          response.write(format(alertSentEvent(sent)));
      // This event makes the client request the current state, whatever it missed.
      const at = new Date(currentState.tick()?.tickMs ?? 0).toISOString();
      response.write(format({ name: "tick", data: { at } }));
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
