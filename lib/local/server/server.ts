// The web server of one machine: the page, its API, and what machines read. GET changes nothing.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { plural } from "../../assess/alerts/text.ts";
import { readHealth, readSilence, type Sources } from "../page/summary.ts";
import { readVerdict } from "../page/verdict.ts";
import { buildApiDocument, type Route, routes } from "./api.ts";
import { createEventStream } from "./events.ts";
import { createHostCheck, createTokenCheck, isOwnOrigin, securityHeaders } from "./guard.ts";
import { type MetricsRegistry, contentType as metricsType, renderBadge } from "./metrics-and-badge.ts";

export type ServerInput = {
  sources: Sources;
  registry: MetricsRegistry;
  token: string;
  port: number;
  host: string;
  /** Further names under which the page may be asked for. */
  allowHosts: readonly string[];
  version: string;
  /** The prober counts as silent when its last tick is older. */
  silentAfterMs: number;
};

export type PageServer = { url: string; port: number; close(): Promise<void> };

type Answer = { status: number; type: string; body: Buffer | string; headers?: Record<string, string> };

const json = (status: number, value: unknown): Answer => ({
  status,
  type: "application/json; charset=utf-8",
  body: JSON.stringify(value),
});
const refuse = (status: number, error: string) => json(status, { error });

const maxBodyBytes = 4_096;

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBodyBytes) return undefined;
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    return undefined;
  }
}

const webFiles: Readonly<Record<string, { file: string; type: string }>> = {
  "/": { file: "index.html", type: "text/html; charset=utf-8" },
  "/page.css": { file: "page.css", type: "text/css; charset=utf-8" },
  "/page.js": { file: "page.js", type: "text/javascript; charset=utf-8" },
  "/ledgers.js": { file: "ledgers.js", type: "text/javascript; charset=utf-8" },
  "/view.js": { file: "view.js", type: "text/javascript; charset=utf-8" },
  "/dialogs.js": { file: "dialogs.js", type: "text/javascript; charset=utf-8" },
  "/element.js": { file: "element.js", type: "text/javascript; charset=utf-8" },
  "/icon.svg": { file: "icon.svg", type: "image/svg+xml" },
};

function loadPage(): ReadonlyMap<string, Answer> {
  return new Map(
    Object.entries(webFiles).map(([path, { file, type }]) => {
      const body = readFileSync(new URL(`../../../web/${file}`, import.meta.url));
      const tag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 20)}"`;
      return [path, { status: 200, type, body, headers: { ETag: tag, "Cache-Control": "no-cache" } }];
    }),
  );
}

export async function startServer(input: ServerInput): Promise<PageServer> {
  const { sources, registry, host, silentAfterMs } = input;
  const { live, store } = sources;
  const page = loadPage();
  const isKnownHost = createHostCheck([host, ...input.allowHosts]);
  const isTrusted = createTokenCheck(input.token);
  const events = createEventStream(live, store.history);
  const cache = new Map<string, { version: number; second: number; answer: Answer }>();

  async function answerRoute(row: Route, url: URL, request: IncomingMessage): Promise<Answer> {
    if (row.method === "POST") {
      if (!isOwnOrigin(request)) return refuse(403, "asked from another page");
      if (!isTrusted(request))
        return refuse(401, "the token is missing or wrong; it was printed at the start");
      if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
        return refuse(415, "send application/json");
    }
    const parsed = row.body
      ? row.body.safeParse(await readBody(request))
      : (row.query?.safeParse(Object.fromEntries(url.searchParams)) ?? { success: true, data: {} });
    if (!parsed.success) {
      const [issue] = parsed.error?.issues ?? [];
      return refuse(
        400,
        `${issue?.path.join(".") || "the question"}: ${issue?.message ?? "is not understood"}`,
      );
    }
    const key = `${url.pathname}${url.search}`;
    const second = Math.floor(Date.now() / 1_000);
    const kept = cache.get(key);
    if (row.cacheable && kept?.version === live.version() && kept.second === second) return kept.answer;
    const value = await row.run(sources, parsed.data as never);
    if (value === undefined) return refuse(404, "there is no such thing here");
    const answer = json(200, value);
    if (row.cacheable) {
      if (cache.size > 20) cache.clear();
      cache.set(key, { version: live.version(), second, answer: pack(answer) });
    }
    if (row.method === "POST") live.publish({ name: "simulation", data: {} });
    return answer;
  }

  /** Alive, able to write, and probing: else 503, with the reason in words. */
  async function answerHealth(): Promise<Answer> {
    const health = await readHealth(sources);
    const silence = readSilence(sources, silentAfterMs);
    const lines = [
      health.state === "DEGRADED" ? `DEGRADED: the store says ${health.why}` : "ok",
      ...(silence === undefined ? [] : [`SILENT: ${silence}`]),
      ...(health.undelivered > 0 ? [`${plural(health.undelivered, "alert")} not delivered yet`] : []),
    ];
    const status = health.state === "ok" && silence === undefined ? 200 : 503;
    return { status, type: "text/plain; charset=utf-8", body: `${lines.join("\n")}\n` };
  }

  async function answerMetrics(): Promise<Answer> {
    const health = await readHealth(sources);
    const tick = live.tick();
    const body = registry.render([
      {
        name: "v1watch_last_tick_timestamp_seconds",
        meaning: "when the watch last looked whether anything is due",
        samples: tick ? [{ value: tick.tickMs / 1_000 }] : [],
      },
      {
        name: "v1watch_undelivered_alerts",
        meaning: "alerts that wait to be accepted",
        samples: [{ value: health.undelivered }],
      },
      {
        name: "v1watch_store_degraded",
        meaning: "1 while the store does not take what is seen",
        samples: [{ value: health.state === "ok" ? 0 : 1 }],
      },
      {
        name: "v1watch_heap_bytes",
        meaning: "JavaScript heap in use by this process",
        samples: [{ value: process.memoryUsage().heapUsed }],
      },
      {
        name: "v1watch_incident_open",
        meaning: "1 for each open incident, by cause",
        samples: Object.values(live.state().incidents)
          .filter(({ incident }) => incident.state === "open")
          .map(({ incident }) => ({
            labels: `cause="${incident.cause}",severity="${incident.severity}"`,
            value: 1,
          })),
      },
    ]);
    return { status: 200, type: metricsType, body };
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    if (!isKnownHost(request.headers.host)) return refuse(421, "this server is not known by that name");
    const url = URL.parse(request.url ?? "/", "http://page.invalid");
    if (!url) return refuse(400, "the address is not understood");
    const row = Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const expected = row?.method ?? "GET";
    if (expected === "GET" ? !isRead : request.method !== expected)
      return { ...refuse(405, `use ${expected}`), headers: { Allow: expected } };
    if (row) return answerRoute(row, url, request);
    switch (url.pathname) {
      case "/healthz":
        return answerHealth();
      case "/metrics":
        return answerMetrics();
      case "/badge.svg": {
        const body = renderBadge(readVerdict(live.state(), live.outlook()));
        return { status: 200, type: "image/svg+xml", body, headers: { "Cache-Control": "no-cache" } };
      }
      case "/api/openapi.json":
        return json(200, buildApiDocument(input.version));
      default:
        return page.get(url.pathname) ?? refuse(404, "there is no such page");
    }
  }

  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const isEvents = request.url?.split("?")[0] === "/api/events";
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    if (isEvents && request.method === "GET" && isKnownHost(request.headers.host)) {
      events.accept(request, response);
      return;
    }
    answer(request)
      .catch(() => refuse(500, "a fault of our own; the watch goes on"))
      .then((given) => send(request, response, given));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(input.port, host, () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return {
    url: `http://${shown.includes(":") ? `[${shown}]` : shown}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        events.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const packed = new WeakMap<Answer, Buffer>();

/** Packed once, sent many times. */
function pack(answer: Answer): Answer {
  packed.set(answer, gzipSync(answer.body, { level: 6 }));
  return answer;
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, type, headers = {} } = answer;
  if (headers.ETag !== undefined && request.headers["if-none-match"] === headers.ETag) {
    response.writeHead(304, headers).end();
    return;
  }
  const takesGzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const isLarge = answer.body.length > 1_400 && !/^image\/png/.test(type);
  const body =
    takesGzip && isLarge ? (packed.get(answer) ?? gzipSync(answer.body, { level: 4 })) : answer.body;
  response.writeHead(status, {
    "Content-Type": type,
    "Cache-Control": "no-store",
    ...(isLarge && { Vary: "Accept-Encoding" }),
    ...(body !== answer.body && { "Content-Encoding": "gzip" }),
    "Content-Length": Buffer.byteLength(body as string),
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
