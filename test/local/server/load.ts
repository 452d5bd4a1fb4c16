// Clients that burden a page server. As a process of its own: node load.ts streams|slow|readers URL COUNT
// It prints a line when all clients are there, and its counts when its standard input ends.
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type LoadCounts = Record<string, number>;
export type Load = { ready: Promise<void>; counts: LoadCounts; stop(): void };

const add = (counts: LoadCounts, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** Readers of the event stream. One that is closed stays closed, so that it is noticed. */
export function openStreams(url: string, count: number): Load {
  const counts: LoadCounts = { events: 0 };
  const ended = new AbortController();
  const open = () =>
    new Promise<void>((resolve) => {
      get(`${url}/api/events`, { agent: false, signal: ended.signal }, (response) => {
        add(counts, `status ${response.statusCode}`);
        resolve();
        let rest = "";
        response.on("data", (part: Buffer) => {
          const text = rest + part.toString();
          counts.events = (counts.events ?? 0) + text.split("event: ").length - 1;
          // The end of a part may be the beginning of the seven signs.
          rest = text.slice(-6);
        });
        response.on("close", () => {
          if (!ended.signal.aborted) add(counts, "closed");
        });
        response.on("error", () => {});
      }).on("error", () => {
        if (!ended.signal.aborted) add(counts, "failed");
        resolve();
      });
    });
  const ready = (async () => {
    // Fewer at once than the system keeps in the queue of new connections.
    for (let opened = 0; opened < count; opened += 100)
      await Promise.all(Array.from({ length: Math.min(100, count - opened) }, open));
  })();
  return { ready, counts, stop: () => ended.abort() };
}

/** A third sends a request a byte at a time, a third reads a file so, and a third reads the event stream so. */
export function openSlowClients(url: string, count: number, everyMs = 200): Load {
  const counts: LoadCounts = {};
  const ended = new AbortController();
  const { hostname, port } = new URL(url);
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`;
  const run = async (index: number) => {
    const kind = (["sender", "file reader", "stream reader"] as const)[index % 3] ?? "sender";
    while (!ended.signal.aborted) {
      await runOnce(kind);
      if (!ended.signal.aborted) add(counts, `${kind} closed`);
      await sleep(100, undefined, { signal: ended.signal }).catch(() => {});
    }
  };
  const runOnce = (kind: string) =>
    new Promise<void>((resolve) => {
      const buffer = Buffer.alloc(1);
      const socket = connect({
        host: hostname,
        port: Number(port),
        signal: ended.signal,
        onread: {
          buffer,
          callback() {
            add(counts, `bytes of a ${kind}`);
            setTimeout(() => socket.resume(), everyMs);
            return false;
          },
        },
      });
      socket.on("connect", async () => {
        add(counts, `${kind} connected`);
        if (kind === "file reader") socket.write(request("/uplot.js"));
        else if (kind === "stream reader") socket.write(request("/api/events"));
        else
          for (const sign of request(`/api/summary?range=1h&from=${"x".repeat(200)}`)) {
            if (socket.destroyed || !socket.writable) return;
            socket.write(sign);
            await sleep(everyMs);
          }
      });
      socket.on("error", () => {});
      socket.on("close", () => resolve());
    });
  for (let index = 0; index < count; index += 1) void run(index);
  const isThere = () =>
    Object.entries(counts)
      .filter(([name]) => name.endsWith("connected"))
      .reduce((sum, [, value]) => sum + value, 0) >= count;
  const ready = (async () => {
    while (!isThere() && !ended.signal.aborted) await sleep(50);
  })();
  return { ready, counts, stop: () => ended.abort() };
}

/** What a page, a scraper and a person with a script read. */
export const readPaths = [
  ...[
    "/",
    "/uplot.js",
    "/api/summary?range=1h",
    "/api/summary?range=all",
    "/api/series?range=all",
    "/metrics",
  ],
  ...["/healthz", "/api/observations?limit=500", "/api/incidents", "/api/drift", "/badge.svg", "/report"],
];

/** Each reader sends its next request as soon as it has the response to the one before. */
export function openReaders(url: string, count: number): Load {
  const counts: LoadCounts = {};
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  let isEnded = false;
  const read = (path: string) =>
    new Promise<void>((resolve) => {
      get(`${url}${path}`, { agent, headers: { "Accept-Encoding": "gzip" } }, (response) => {
        add(counts, `status ${response.statusCode}`);
        response.on("error", () => {});
        response.on("close", () => resolve());
        response.resume();
      }).on("error", () => {
        if (!isEnded) add(counts, "failed");
        resolve();
      });
    });
  const run = async (index: number) => {
    for (let number = index; !isEnded; number += 1) await read(readPaths[number % readPaths.length] ?? "/");
  };
  for (let index = 0; index < count; index += 1) void run(index);
  return {
    ready: Promise.resolve(),
    counts,
    stop() {
      isEnded = true;
      agent.destroy();
    },
  };
}

const kinds = { streams: openStreams, slow: openSlowClients, readers: openReaders };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind = "", url = "", count = "0"] = process.argv.slice(2);
  const load = kinds[kind as keyof typeof kinds](url, Number(count));
  await load.ready;
  console.log("ready");
  process.stdin.on("end", () => {
    const counts = { ...load.counts };
    load.stop();
    console.log(JSON.stringify(counts));
    process.exit(0);
  });
  process.stdin.resume();
}
