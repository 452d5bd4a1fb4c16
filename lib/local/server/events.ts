// Server-sent events: a tick, an alert, a change of the simulation. An event's id is the last alert that the
// reader was sent, so that one who was away, or whose server was restarted, gets what came meanwhile.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CurrentState, LiveEvent } from "../current-state.ts";
import type { History, Told } from "../store/history.ts";

const maxReaders = 500;
const replayed = 50;
const breathMs = 15_000;
/** A reader that does not read is let go, before its backlog becomes our memory. */
const maxBacklogBytes = 256 * 1_024;

export type EventStream = { accept(request: IncomingMessage, response: ServerResponse): void; close(): void };

export const toldEvent = ({ seq, alert }: Told): LiveEvent => {
  const { id, at, event, severity, subject } = alert;
  return { name: "told", data: { seq, id, at, event, severity, subject } };
};

export function createEventStream(live: CurrentState, history: History): EventStream {
  const readers = new Set<ServerResponse>();
  let lastSeq = history.told(1)[0]?.seq ?? 0;
  const send = (reader: ServerResponse, text: string) => {
    if (reader.writableLength > maxBacklogBytes) reader.destroy();
    else reader.write(text);
  };
  const write = ({ name, data }: LiveEvent) => {
    const { seq } = data as { seq?: number };
    if (name === "told" && seq !== undefined) lastSeq = Math.max(lastSeq, seq);
    return `event: ${name}\nid: ${lastSeq}\ndata: ${JSON.stringify(data)}\n\n`;
  };
  const unsubscribe = live.subscribe((event) => {
    const text = write(event);
    for (const reader of readers) send(reader, text);
  });
  const breath = setInterval(() => {
    for (const reader of readers) send(reader, ": still here\n\n");
  }, breathMs);
  breath.unref();

  return {
    accept(request, response) {
      if (readers.size >= maxReaders) {
        response.writeHead(503, { "Retry-After": "30" }).end();
        return;
      }
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      response.write("retry: 2000\n\n");
      const since = /^\d{1,15}$/.exec(String(request.headers["last-event-id"] ?? ""))?.[0];
      if (since !== undefined)
        for (const told of history.toldSince(Number(since), replayed)) response.write(write(toldEvent(told)));
      // Whatever was missed: this makes the reader ask for what is true now.
      response.write(write({ name: "tick", data: { at: new Date(live.tick()?.tickMs ?? 0).toISOString() } }));
      readers.add(response);
      response.on("close", () => readers.delete(response));
    },
    close() {
      unsubscribe();
      clearInterval(breath);
      for (const reader of readers) reader.end();
    },
  };
}
