// Many clients at once: every check is made, everybody within the limits is served, and everybody else is told why not.
// `node bench/prove.ts readers` measures the delay of the checks with 1,600 clients.

import { EventEmitter } from "node:events";
import { get, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import type { StateEvent } from "../../../lib/local/current-state.ts";
import { createCounter, limits, maxUnreadBytes } from "../../../lib/local/server/admission.ts";
import { createEventStream } from "../../../lib/local/server/events.ts";
import { type Rig, startRig } from "../monitor-rig.ts";
import { openReaders, openSlowClients, openStreams } from "./load.ts";

const rigs: Rig[] = [];
async function start(options: Parameters<typeof startRig>[0] = {}): Promise<Rig> {
  const rig = await startRig(options);
  rigs.push(rig);
  return rig;
}
afterAll(async () => {
  for (const rig of rigs) await rig.stop();
});

type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** A request on a connection of its own. The body of an event stream is not awaited. */
function send(rig: Rig, path: string): Promise<Answer & { close(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    const request = get(`${rig.url}${path}`, { agent: false }, async (response) => {
      const isStream = response.headers["content-type"] === "text/event-stream";
      let body = "";
      if (!isStream) for await (const part of response) body += part;
      const close = () =>
        new Promise<void>((done) => {
          request.once("close", () => done());
          request.destroy();
        });
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body, close });
      if (isStream) response.on("error", () => {}).resume();
    });
    request.on("error", reject);
  });
}

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test("/livez waits for no other reader, however long the others wait for each other", async () => {
  const ended: string[] = [];
  const rig = await start({
    wrapStore: (store) => ({
      ...store,
      history: {
        ...store.history,
        health(...given) {
          for (const untilMs = performance.now() + 50; performance.now() < untilMs; );
          return store.history.health(...given);
        },
      },
    }),
  });
  await rig.monitor.once();
  const ask = async (path: string) => {
    expect((await send(rig, path)).status).toBe(200);
    ended.push(path);
  };
  const ranges = ["1h", "24h", "7d", "30d", "all"].map((name) => `/api/summary?range=${name}`);
  await Promise.all([...ranges.map(ask), ask("/livez")]);
  expect(ended.indexOf("/livez")).toBeLessThan(2);
});

test("50 event streams, 25 slow clients and 10 busy readers are served, and every check is made", async () => {
  const rig = await start();
  // Before the first check V1 is unknown, and /healthz is 503.
  const first = await rig.monitor.once();
  expect(first.observations.length).toBeGreaterThanOrEqual(3);
  const loads = [
    openStreams(rig.url, 50),
    openSlowClients(rig.url, 25, 20),
    openReaders(rig.url, 10),
  ] as const;
  const [streams, slow, readers] = loads;
  await Promise.all(loads.map(({ ready }) => ready));
  await until(() => (streams.counts.events ?? 0) >= 50);
  for (let number = 0; number < 3; number += 1) {
    const { observations, degraded } = await rig.monitor.once();
    expect(degraded).toBeUndefined();
    expect(observations.every(({ outcome }) => outcome.kind === "ok")).toBe(true);
  }
  await until(() => (streams.counts.events ?? 0) >= 50 * 4 && (readers.counts["status 200"] ?? 0) >= 100);
  expect(streams.counts).toEqual({ events: expect.any(Number), "status 200": 50 });
  // The monitor of the tests has no report.
  expect(Object.keys(readers.counts).toSorted()).toEqual(["status 200", "status 404"]);
  expect(slow.counts).toMatchObject({ "bytes of a file reader": expect.any(Number) });
  for (const load of loads) load.stop();
});

describe("a client beyond a limit", () => {
  const few = {
    connections: { inAll: 6, ofAddress: 6 },
    streams: { inAll: 2, ofAddress: 2 },
    waiting: { inAll: 2, ofAddress: 2 },
  };

  test("A client beyond a limit gets no further event stream, until one is closed", async () => {
    const rig = await start({ limits: few });
    const first = await send(rig, "/api/events");
    const second = await send(rig, "/api/events");
    expect([first.status, second.status]).toEqual([200, 200]);
    const refused = await send(rig, "/api/events");
    expect(refused.status).toBe(503);
    expect(refused.headers["retry-after"]).toBe("30");
    expect(JSON.parse(refused.body)).toEqual({
      error: "this server has its 2 event streams already; try again in 30 s",
    });
    await first.close();
    let again = await send(rig, "/api/events");
    for (; again.status !== 200; again = await send(rig, "/api/events"));
    expect(again.headers["content-type"]).toBe("text/event-stream");
  });

  test("A client beyond a limit gets no response where too many requests wait, and the others get theirs", async () => {
    const rig = await start({ limits: few });
    const socket = connect(Number(new URL(rig.url).port), "127.0.0.1");
    let received = "";
    socket.on("data", (part) => {
      received += part;
    });
    const request = "GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n";
    // In one packet, so that all three are there before the first has its turn.
    socket.write(request.repeat(3));
    await until(() => received.split("HTTP/1.1 ").length === 4);
    socket.destroy();
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 503"]);
    expect(received).toContain("this server has its 2 waiting requests already; try again in 1 s");
    expect(received).toContain("Retry-After: 1\r\n");
    expect((await send(rig, "/livez")).status).toBe(200);
  });

  test("A client beyond a limit gets no further connection", async () => {
    const rig = await start({ limits: few });
    const open: Socket[] = [];
    for (let number = 0; number < 6; number += 1) {
      const socket = connect(Number(new URL(rig.url).port), "127.0.0.1").on("error", () => {});
      await new Promise((resolve) => socket.once("connect", resolve));
      open.push(socket);
    }
    const refused = await send(rig, "/livez");
    expect(refused.status).toBe(503);
    expect(refused.headers).toMatchObject({ "retry-after": "10", connection: "close" });
    expect(refused.body).toContain("this server has its 6 open connections already; try again in 10 s");
    for (const socket of open) socket.destroy();
    let again = await send(rig, "/livez");
    for (; again.status !== 200; again = await send(rig, "/livez"));
  });

  test("A client beyond a limit is refused by its address where it is on another machine, and only then", () => {
    const counter = createCounter("streams", { inAll: 5, ofAddress: 2 });
    const take = (address: string) => counter.take(address)?.status;
    expect(["192.0.2.1", "192.0.2.1", "192.0.2.1"].map(take)).toEqual([undefined, undefined, 429]);
    expect(counter.take("192.0.2.1")?.error).toBe(
      "your address has its 2 event streams already; try again in 30 s",
    );
    expect(["127.0.0.1", "127.0.0.1", "127.0.0.1", "::1"].map(take)).toEqual([
      undefined,
      undefined,
      undefined,
      503,
    ]);
    counter.release("127.0.0.1");
    expect(["::ffff:127.0.0.1", "192.0.2.2"].map(take)).toEqual([undefined, 503]);
    counter.release("192.0.2.1");
    expect(take("192.0.2.1")).toBeUndefined();
  });

  test("A client beyond a limit has limits that leave room for 1,000 event streams, 500 slow clients and 100 readers", () => {
    // A third of the slow clients read event streams.
    expect(limits.streams.inAll).toBeGreaterThanOrEqual(1_000 + 500 / 3);
    expect(limits.connections.inAll).toBeGreaterThanOrEqual(1_600);
    expect(limits.waiting.inAll).toBeGreaterThanOrEqual(100);
  });
});

test("A reader of events that does not read is disconnected, and the others get every event", () => {
  let publish = (_: StateEvent) => {};
  const events = createEventStream({
    subscribe(listener) {
      publish = listener;
      return () => {};
    },
  });
  const open = (reads: boolean) => {
    const client = Object.assign(new EventEmitter(), {
      texts: [] as string[],
      writableLength: 0,
      isDestroyed: false,
      writeHead() {},
      write(text: string) {
        client.texts.push(text);
        if (!reads) client.writableLength += Buffer.byteLength(text);
      },
      destroy() {
        client.isDestroyed = true;
        client.emit("close");
      },
      end() {},
    });
    events.accept(client as unknown as ServerResponse);
    return client;
  };
  const [reader, idle] = [open(true), open(false)];
  for (let number = 0; number < 10_000; number += 1) publish("tick");
  expect(idle.isDestroyed).toBe(true);
  expect(idle.writableLength).toBeLessThanOrEqual(maxUnreadBytes + 100);
  expect(reader.texts).toHaveLength(10_001);
  events.close();
});
