// The web server of the local monitor: the dashboard, its API, /metrics, /healthz, /livez and the badge. GET changes nothing.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { plural } from "../../text.ts";
import { readHealth, readStuckLoop, type Sources, viewVerdict } from "../dashboard/summary.ts";
import {
  createAdmission,
  type Limits,
  limits,
  type Refusal,
  refusedConnections,
  timeLimits,
} from "./admission.ts";
import { buildApiDocument, RefusedRequest, type Route, routes } from "./api.ts";
import { type ChannelView, tones } from "./api-schemas.ts";
import { createEventStream } from "./events.ts";
import { createHostCheck, createTokenCheck, documentHeaders, isOwnOrigin, securityHeaders } from "./guard.ts";
import { answerLink } from "./link-page.ts";
import {
  type MetricsRegistry,
  metricsType,
  readGauges,
  renderBadge,
  renderIcon,
} from "./metrics-and-badge.ts";
import { loadStaticFiles } from "./page-files.ts";
import { type LinkAction, type LinkSigner, readLinkPath } from "./signed-links.ts";

export type ServerInput = {
  sources: Sources;
  registry: MetricsRegistry;
  token: string;
  /** Without one, no signed link is valid. */
  linkSigner: LinkSigner | undefined;
  port: number;
  host: string;
  /** Host names that are accepted besides `host`, that of `publicUrl` and the loopback names. */
  allowHosts: readonly string[];
  version: string;
  limits?: Limits;
};

export type PageServer = { url: string; port: number; close(): Promise<void> };

type PageResponse = { status: number; type: string; body: Buffer | string; headers?: Record<string, string> };

const json = (status: number, value: unknown): PageResponse => ({
  status,
  type: "application/json; charset=utf-8",
  body: Buffer.from(JSON.stringify(value)),
});
const errorResponse = (status: number, error: string) => json(status, { error });
const refusedResponse = ({ status, error, retryAfterSeconds }: Refusal): PageResponse => ({
  ...errorResponse(status, error),
  headers: { "Retry-After": String(retryAfterSeconds), Connection: "close" },
});

const maxBodyBytes = 4_096;
/** A report is made again when this has passed since the last one was ready. */
const reportForMs = 10_000;
const noCache = { "Cache-Control": "no-cache" };
const htmlType = "text/html; charset=utf-8";

/** Undefined where it is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBodyBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse((await readBody(request)) ?? "");
  } catch {
    return undefined;
  }
}

type Respond = (url: URL, request: IncomingMessage) => PageResponse | Promise<PageResponse>;

/** The paths of the API. A response that depends on the current state alone is made once a second at the most. */
function createApi({
  sources,
  token,
}: ServerInput): (row: Route, ...given: Parameters<Respond>) => Promise<PageResponse> {
  const { currentState } = sources;
  const isTrusted = createTokenCheck(token);
  const cache = new Map<string, { version: number; second: number; response: PageResponse }>();

  function refuseChange(request: IncomingMessage): PageResponse | undefined {
    if (!isOwnOrigin(request)) return errorResponse(403, "the request comes from another origin");
    if (!isTrusted(request))
      return errorResponse(
        401,
        "the token is missing or wrong; v1watch up prints it at a terminal, or names its file",
      );
    if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
      return errorResponse(415, "the Content-Type must be application/json");
    return undefined;
  }

  async function run(row: Route, input: unknown): Promise<PageResponse> {
    try {
      const value = await row.run(sources, input);
      return value === undefined ? errorResponse(404, "not found") : json(200, value);
    } catch (error) {
      if (error instanceof RefusedRequest) return errorResponse(409, error.message);
      throw error;
    }
  }

  return async (row, url, request) => {
    const refused = row.method === "POST" ? refuseChange(request) : undefined;
    if (refused) return refused;
    const parsed = row.body
      ? row.body.safeParse(await readJsonBody(request))
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
    const response = await run(row, parsed.data);
    if (response.status !== 200) return response;
    if (row.cacheable) {
      if (cache.size > 20) cache.clear();
      cache.set(key, { version: currentState.version(), second, response });
    }
    if (row.method === "POST") currentState.publish("simulation");
    return response;
  };
}

const plainText = "text/plain; charset=utf-8";

/** 200 if the store accepts writes, the ticks are on time and V1 is seen; otherwise 503 with the reasons. */
async function respondHealth({ sources }: ServerInput): Promise<PageResponse> {
  const health = await readHealth(sources).catch(() => undefined);
  if (!health) return { status: 503, type: plainText, body: "DEGRADED: the store cannot be read\n" };
  const stuck = readStuckLoop(sources);
  const verdict = sources.currentState.verdict(sources.nowMs());
  const problems = [
    ...(health.state === "DEGRADED" ? [`DEGRADED: ${health.why}`] : []),
    ...(stuck === undefined ? [] : [`SILENT: ${stuck}`]),
    ...(verdict.kind === "unknown" ? [`UNKNOWN: ${verdict.reason}`] : []),
  ];
  const lines = [
    ...(problems.length > 0 ? problems : ["ok"]),
    ...(health.undelivered > 0 ? [`${plural(health.undelivered, "alert")} not delivered yet`] : []),
    ...health.channels.flatMap(describeChannel),
    ...[health.configuration, health.unreadable, health.clock, health.heartbeat, health.maintenance].filter(
      (line) => line !== undefined,
    ),
  ];
  return { status: problems.length > 0 ? 503 : 200, type: plainText, body: `${lines.join("\n")}\n` };
}

/** For whoever restarts a process that hangs: V1, the store and the channels do not matter here. */
function respondLiveness({ sources }: ServerInput): PageResponse {
  const stuck = readStuckLoop(sources);
  return stuck === undefined
    ? { status: 200, type: plainText, body: "ok\n" }
    : { status: 503, type: plainText, body: `SILENT: ${stuck}\n` };
}

/** However many ask for it: a report of a year is work of a second, and the checks wait for it. */
function createReport({ sources }: ServerInput): Respond {
  let report: { untilMs: number; body: Promise<string> } | undefined;
  function readReport(render: () => Promise<string>): Promise<string> {
    if (report && performance.now() < report.untilMs) return report.body;
    const body = render();
    report = { untilMs: Number.POSITIVE_INFINITY, body };
    const expire = (ms: number) => () => {
      if (report?.body === body) report.untilMs = performance.now() + ms;
    };
    body.then(expire(reportForMs), expire(0));
    return body;
  }
  return async () => {
    const body = sources.renderReport && (await readReport(sources.renderReport));
    if (body === undefined) return errorResponse(404, "no report is available in this mode");
    // A document of its own with inline styles; its policy allows these and nothing else.
    return { status: 200, type: htmlType, body, headers: documentHeaders(body, "'none'") };
  };
}

/** What the server makes besides the API, by its path. */
function createDocuments(input: ServerInput): Readonly<Record<string, Respond>> {
  const { sources, registry } = input;
  const { currentState, nowMs } = sources;
  const verdict = () => viewVerdict(currentState, nowMs());
  const svg = (body: string): PageResponse => ({
    status: 200,
    type: "image/svg+xml",
    body,
    headers: noCache,
  });
  return {
    "/healthz": () => respondHealth(input),
    "/livez": () => respondLiveness(input),
    "/metrics": async () => {
      const body = registry.render(await readGauges(sources));
      return { status: 200, type: metricsType, body };
    },
    "/badge.svg": () => svg(renderBadge(verdict())),
    "/icon.svg": (url) => svg(renderIcon(readTone(url) ?? verdict().tone)),
    "/report": createReport(input),
    "/api/openapi.json": () => json(200, buildApiDocument(input.version)),
  };
}

/** A form of another origin has to know the signature, and whoever knows it may use it: no origin is checked. */
async function respondLink(
  { sources, linkSigner }: ServerInput,
  { action, incidentId }: { action: LinkAction; incidentId: string },
  { searchParams }: URL,
  request: IncomingMessage,
): Promise<PageResponse> {
  if (!["GET", "HEAD", "POST"].includes(request.method ?? ""))
    return { ...errorResponse(405, "use GET or POST"), headers: { Allow: "GET, POST" } };
  const signature = searchParams.get("signature") ?? "";
  const isSigned = linkSigner?.isSigned(action, incidentId, signature) ?? false;
  const form = request.method === "POST" ? await readBody(request) : "";
  if (form === undefined)
    return errorResponse(413, `the form is larger than ${maxBodyBytes} bytes; nothing was changed`);
  const reason = request.method === "POST" ? (new URLSearchParams(form).get("reason") ?? "") : undefined;
  const { status, body } = await answerLink(sources, { action, incidentId, isSigned }, reason);
  if (status !== 303) return { status, type: htmlType, body, headers: documentHeaders(body, "'self'") };
  sources.currentState.publish("simulation");
  // The same form as it is now. Relative, because a proxy may serve it under another path.
  const headers = { Location: `${action}?${new URLSearchParams({ signature })}` };
  return { status, type: htmlType, body: "", headers };
}

/** Every path: a signed link, the API, a document, or a file of the dashboard. */
function createResponder(input: ServerInput): Respond {
  const respondApi = createApi(input);
  const documents = createDocuments(input);
  const findFile = loadStaticFiles();

  function respondFile(pathname: string): PageResponse {
    const file = findFile(pathname);
    if (!file) return errorResponse(404, "not found");
    const { type, body, tag } = file;
    return { status: 200, type, body, headers: { ETag: tag, ...noCache } };
  }

  return (url, request) => {
    const link = readLinkPath(url.pathname);
    if (link) return respondLink(input, link, url, request);
    const row = Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const expected = row?.method ?? "GET";
    if (expected === "GET" ? !isRead : request.method !== expected)
      return { ...errorResponse(405, `use ${expected}`), headers: { Allow: expected } };
    if (row) return respondApi(row, url, request);
    const respond = Object.hasOwn(documents, url.pathname) ? documents[url.pathname] : undefined;
    return respond ? respond(url, request) : respondFile(url.pathname);
  };
}

export async function startServer(input: ServerInput): Promise<PageServer> {
  const { sources, host } = input;
  /** The address at which people reach the dashboard is one of its names. */
  const isKnownHost = (name: string | undefined) => {
    const { publicUrl } = sources.config;
    const ownHosts = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
    return createHostCheck([host, ...input.allowHosts, ...ownHosts])(name);
  };
  const events = createEventStream(sources.currentState);
  const admission = createAdmission(input.limits);
  const respond = createResponder(input);

  /** Undefined for a stream of events, and for somebody who has gone. */
  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<PageResponse | undefined> {
    const refusal = admission.refusalOf(request);
    if (refusal) return refusedResponse(refusal);
    const path = request.url?.split("?")[0];
    if (path === "/api/events" && request.method === "GET" && isKnownHost(request.headers.host)) {
      const refused = admission.admitStream(request);
      if (refused) return refusedResponse(refused);
      events.accept(response);
      return undefined;
    }
    // Whoever restarts a process that hangs gets an answer at once, however many readers wait.
    const busy = path === "/livez" ? undefined : await admission.waitForTurn(request);
    if (busy) return refusedResponse(busy);
    if (request.socket.destroyed) return undefined;
    if (!isKnownHost(request.headers.host))
      return errorResponse(421, "the Host is not allowed; start with --allow-host to allow it");
    const url = URL.parse(request.url ?? "/", "http://dashboard.invalid");
    return url ? respond(url, request) : errorResponse(400, "the URL is invalid");
  }

  const server = createServer(
    {
      headersTimeout: timeLimits.headersMs,
      requestTimeout: timeLimits.requestMs,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
      answer(request, response)
        .catch(() => errorResponse(500, "internal error; the monitor continues"))
        .then((pageResponse) => pageResponse && send(request, response, pageResponse));
    },
  );
  server.on("connection", admission.noteConnection);
  server.maxConnections = (input.limits ?? limits).connections.inAll + refusedConnections;
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

/** A dashboard asks for the icon of a tone, and for that of a monitor that is gone before it is. */
const readTone = ({ searchParams }: URL) => tones.find((tone) => tone === searchParams.get("tone"));

function describeChannel({ name, state, since, why, waiting, setAside }: ChannelView): string[] {
  return [
    ...(state === "failing"
      ? [`channel ${name} has been failing since ${since} (${why}), ${plural(waiting, "alert")} waiting`]
      : []),
    ...(setAside.length > 0
      ? [`channel ${name}: ${plural(setAside.length, "alert")} given up, the latest ${setAside[0]?.id}`]
      : []),
  ];
}

/** A file, or a cached response, is compressed once and sent many times. */
const compressed = new WeakMap<Buffer, Buffer>();

function compress(body: Buffer | string): Buffer {
  if (typeof body === "string") return gzipSync(body, { level: 4 });
  const known = compressed.get(body) ?? gzipSync(body, { level: 5 });
  compressed.set(body, known);
  return known;
}

function send(request: IncomingMessage, response: ServerResponse, pageResponse: PageResponse): void {
  const { status, type, headers = {} } = pageResponse;
  if (headers.ETag !== undefined && request.headers["if-none-match"] === headers.ETag) {
    response.writeHead(304, headers).end();
    return;
  }
  const acceptsGzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const isLarge = pageResponse.body.length > 1_400 && !/^image\/png/.test(type);
  const body = acceptsGzip && isLarge ? compress(pageResponse.body) : pageResponse.body;
  response.setHeader("Content-Type", type);
  response.setHeader("Cache-Control", "no-store");
  if (isLarge) response.setHeader("Vary", "Accept-Encoding");
  if (body !== pageResponse.body) response.setHeader("Content-Encoding", "gzip");
  response.setHeader("Content-Length", Buffer.byteLength(body as string));
  response.writeHead(status, headers);
  const deadline = setTimeout(() => response.destroy(), timeLimits.responseMs);
  response.once("close", () => clearTimeout(deadline));
  response.end(request.method === "HEAD" ? undefined : body);
}
