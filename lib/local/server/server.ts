// The web server of the local monitor: the page, its API, /metrics, /healthz and the badge. GET changes nothing.
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
  /** Host names that are accepted besides `host` and the loopback names. */
  allowHosts: readonly string[];
  version: string;
  /** The monitor counts as silent if a tick is overdue by more than this. */
  silentAfterMs: number;
};

export type PageServer = { url: string; port: number; close(): Promise<void> };

type PageResponse = { status: number; type: string; body: Buffer | string; headers?: Record<string, string> };

const json = (status: number, value: unknown): PageResponse => ({
  status,
  type: "application/json; charset=utf-8",
  body: JSON.stringify(value),
});
const errorResponse = (status: number, error: string) => json(status, { error });

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
  "/sections.js": { file: "sections.js", type: "text/javascript; charset=utf-8" },
  "/overview.js": { file: "overview.js", type: "text/javascript; charset=utf-8" },
  "/dialogs.js": { file: "dialogs.js", type: "text/javascript; charset=utf-8" },
  "/dom.js": { file: "dom.js", type: "text/javascript; charset=utf-8" },
  "/icon.svg": { file: "icon.svg", type: "image/svg+xml" },
};

function loadPage(): ReadonlyMap<string, PageResponse> {
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
  const { currentState, store } = sources;
  const page = loadPage();
  const isKnownHost = createHostCheck([host, ...input.allowHosts]);
  const isTrusted = createTokenCheck(input.token);
  const events = createEventStream(currentState, store.history);
  const cache = new Map<string, { version: number; second: number; response: PageResponse }>();

  async function handleRoute(row: Route, url: URL, request: IncomingMessage): Promise<PageResponse> {
    if (row.method === "POST") {
      if (!isOwnOrigin(request)) return errorResponse(403, "the request comes from a page of another origin");
      if (!isTrusted(request))
        return errorResponse(401, "the token is missing or wrong; v1watch up prints it at its start");
      if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
        return errorResponse(415, "the Content-Type must be application/json");
    }
    const parsed = row.body
      ? row.body.safeParse(await readBody(request))
      : (row.query?.safeParse(Object.fromEntries(url.searchParams)) ?? { success: true, data: {} });
    if (!parsed.success) {
      const [issue] = parsed.error?.issues ?? [];
      return errorResponse(400, `${issue?.path.join(".") || "request"}: ${issue?.message ?? "invalid"}`);
    }
    const key = `${url.pathname}${url.search}`;
    const second = Math.floor(Date.now() / 1_000);
    const cached = cache.get(key);
    if (row.cacheable && cached?.version === currentState.version() && cached.second === second)
      return cached.response;
    const value = await row.run(sources, parsed.data as never);
    if (value === undefined) return errorResponse(404, "not found");
    const response = json(200, value);
    if (row.cacheable) {
      if (cache.size > 20) cache.clear();
      cache.set(key, { version: currentState.version(), second, response: compress(response) });
    }
    if (row.method === "POST") currentState.publish({ name: "simulation", data: {} });
    return response;
  }

  /** 200 if the store accepts writes and the ticks are on time; otherwise 503 with the reason. */
  async function handleHealth(): Promise<PageResponse> {
    const health = await readHealth(sources);
    const silence = readSilence(sources, silentAfterMs);
    const lines = [
      health.state === "DEGRADED" ? `DEGRADED: the store cannot save observations (${health.why})` : "ok",
      ...(silence === undefined ? [] : [`SILENT: ${silence}`]),
      ...(health.undelivered > 0 ? [`${plural(health.undelivered, "alert")} not delivered yet`] : []),
    ];
    const status = health.state === "ok" && silence === undefined ? 200 : 503;
    return { status, type: "text/plain; charset=utf-8", body: `${lines.join("\n")}\n` };
  }

  async function handleMetrics(): Promise<PageResponse> {
    const health = await readHealth(sources);
    const tick = currentState.tick();
    const body = registry.render([
      {
        name: "v1watch_last_tick_timestamp_seconds",
        meaning: "time of the last tick of the watch loop",
        samples: tick ? [{ value: tick.tickMs / 1_000 }] : [],
      },
      {
        name: "v1watch_undelivered_alerts",
        meaning: "alerts that no channel has accepted yet",
        samples: [{ value: health.undelivered }],
      },
      {
        name: "v1watch_store_degraded",
        meaning: "1 while the store cannot save observations",
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
        samples: Object.values(currentState.assessState().incidents)
          .filter(({ incident }) => incident.state === "open")
          .map(({ incident }) => ({
            labels: `cause="${incident.cause}",severity="${incident.severity}"`,
            value: 1,
          })),
      },
    ]);
    return { status: 200, type: metricsType, body };
  }

  async function handle(request: IncomingMessage): Promise<PageResponse> {
    if (!isKnownHost(request.headers.host))
      return errorResponse(421, "the Host is not allowed; start with --allow-host to allow it");
    const url = URL.parse(request.url ?? "/", "http://page.invalid");
    if (!url) return errorResponse(400, "the URL is invalid");
    const row = Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const expected = row?.method ?? "GET";
    if (expected === "GET" ? !isRead : request.method !== expected)
      return { ...errorResponse(405, `use ${expected}`), headers: { Allow: expected } };
    if (row) return handleRoute(row, url, request);
    switch (url.pathname) {
      case "/healthz":
        return handleHealth();
      case "/metrics":
        return handleMetrics();
      case "/badge.svg": {
        const body = renderBadge(readVerdict(currentState.assessState(), currentState.outlook()));
        return { status: 200, type: "image/svg+xml", body, headers: { "Cache-Control": "no-cache" } };
      }
      case "/api/openapi.json":
        return json(200, buildApiDocument(input.version));
      default:
        return page.get(url.pathname) ?? errorResponse(404, "not found");
    }
  }

  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    const isEvents = request.url?.split("?")[0] === "/api/events";
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    if (isEvents && request.method === "GET" && isKnownHost(request.headers.host)) {
      events.accept(request, response);
      return;
    }
    handle(request)
      .catch(() => errorResponse(500, "internal error; the monitor continues"))
      .then((pageResponse) => send(request, response, pageResponse));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(input.port, host, () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  const urlHost = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return {
    url: `http://${urlHost.includes(":") ? `[${urlHost}]` : urlHost}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        events.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const compressed = new WeakMap<PageResponse, Buffer>();

/** A cached response is compressed once and sent many times. */
function compress(response: PageResponse): PageResponse {
  compressed.set(response, gzipSync(response.body, { level: 6 }));
  return response;
}

function send(request: IncomingMessage, response: ServerResponse, pageResponse: PageResponse): void {
  const { status, type, headers = {} } = pageResponse;
  if (headers.ETag !== undefined && request.headers["if-none-match"] === headers.ETag) {
    response.writeHead(304, headers).end();
    return;
  }
  const acceptsGzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const isLarge = pageResponse.body.length > 1_400 && !/^image\/png/.test(type);
  const body =
    acceptsGzip && isLarge
      ? (compressed.get(pageResponse) ?? gzipSync(pageResponse.body, { level: 4 }))
      : pageResponse.body;
  response.writeHead(status, {
    "Content-Type": type,
    "Cache-Control": "no-store",
    ...(isLarge && { Vary: "Accept-Encoding" }),
    ...(body !== pageResponse.body && { "Content-Encoding": "gzip" }),
    "Content-Length": Buffer.byteLength(body as string),
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
