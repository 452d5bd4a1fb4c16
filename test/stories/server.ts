/** A small V1 on loopback that acts out a story. Every answer depends only on the story, the request and its virtual clock. */
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import { renderBody } from "./body-effects.ts";
import { listPage, ordinaryView, type PassportRecord, World } from "./data.ts";
import { activeEntries, coversRecord, dataView, parseTimeline, type TimelineEntry } from "./timeline.ts";
import {
  type Endpoint,
  type HeaderValues,
  hash,
  type JsonObject,
  MINUTE,
  parseDuration,
  type RequestKind,
  STORY_KEY,
  type Story,
  unit,
  type Variant,
} from "./types.ts";

interface Answer {
  action: "answer" | "truncate" | "reset" | "hang";
  status: number;
  headers: HeaderValues;
  body: string;
}

interface Route {
  endpoint: Endpoint;
  id: string | null;
  keyword: string | null;
  page: number;
}

function parseRoute(target: string): Route | null {
  const url = new URL(target, "http://127.0.0.1");
  const page = Math.max(1, Number.parseInt(url.searchParams.get("page") ?? "1", 10) || 1);
  if (url.pathname === "/api/v1/passports")
    return { endpoint: "passport-list", id: null, keyword: url.searchParams.get("keyword"), page };
  if (url.pathname === "/api/v1/passport_credentials")
    return { endpoint: "passport-credentials", id: url.searchParams.get("passport_id"), keyword: null, page };
  const match = /^\/api\/v1\/passports\/([^/]+)$/.exec(url.pathname);
  return match ? { endpoint: "passport", id: decodeURIComponent(match[1] ?? ""), keyword: null, page } : null;
}

function requestKind(world: World, route: Route, clock: number): RequestKind {
  if (route.endpoint === "passport-list")
    return route.keyword !== null ? "keyword" : route.page > 1 ? "page-2" : "primary";
  if (route.id === null) return "primary";
  if (!world.find(world.records(ordinaryView(clock), clock), route.id)) return "unknown-id";
  return /^0x/i.test(route.id) ? "by-other-id" : "primary";
}

/** The record of another person where an active effect covers the one that was asked for. */
function deliveredRecord(
  world: World,
  entries: TimelineEntry[],
  records: PassportRecord[],
  asked: PassportRecord,
  clock: number,
): PassportRecord {
  const rank = world.rankAtStart(asked.index);
  const isSwapped = entries.some(
    (entry) =>
      entry.behaviour.effect.kind === "another-record" &&
      coversRecord(world.story, entry, asked.index, rank, clock),
  );
  if (!isSwapped) return asked;
  const others = records.filter((record) => record.index !== asked.index);
  return others[hash(world.story.seed, "another", asked.index, clock) % others.length] ?? asked;
}

/** Fills {month-checks} (slots of 12 minutes since the month began), {random:1-9}, {http-date:+30d} and {iso-date:+30d} in a header value. */
function fillTemplate(story: Story, value: string, clock: number): string {
  const month = Date.UTC(new Date(clock).getUTCFullYear(), new Date(clock).getUTCMonth());
  return value
    .replace("{month-checks}", String(Math.floor((clock - month) / (12 * MINUTE))))
    .replace(/\{random:(\d+)-(\d+)\}/, (_, low: string, high: string) =>
      String(Number(low) + (hash(story.seed, value, clock) % (Number(high) - Number(low) + 1))),
    )
    .replace(/\{(http|iso)-date:\+?([^}]+)\}/g, (_, form: string, offset: string) => {
      const instant = new Date(clock + parseDuration(offset));
      return form === "http" ? instant.toUTCString() : instant.toISOString().replace(/\.\d+Z$/, "Z");
    });
}

function addHeaders(story: Story, headers: HeaderValues, added: HeaderValues, clock: number): void {
  for (const [name, value] of Object.entries(added)) {
    headers[name] = Array.isArray(value)
      ? value.map((line) => fillTemplate(story, line, clock))
      : fillTemplate(story, value, clock);
  }
}

/** The answer of the service without respond, reset and hang effects. */
function ordinaryAnswer(
  world: World,
  entries: TimelineEntry[],
  route: Route,
  variant: Variant,
  clock: number,
): { status: number; body: string } {
  const failure = (status: number, error: string) => ({ status, body: JSON.stringify({ error }) });
  if (variant === "wrong-key" || (variant === "anonymous" && world.story.service?.anonymous === "refused"))
    return failure(401, "Unauthorized");
  const records = world.records(
    entries.length === 0 ? ordinaryView(clock) : dataView(world, entries, clock),
    clock,
  );
  const render = (body: JsonObject, rank: number) => ({
    status: 200,
    body: renderBody(world, route.endpoint, entries, body, rank, clock),
  });
  if (route.endpoint === "passport-list") {
    const isRepeated = entries.some((entry) => entry.behaviour.effect.kind === "repeat-page");
    const page = listPage(records, route.keyword, isRepeated ? 1 : route.page);
    page.pagination.current_page = route.page;
    return render(page, 0);
  }
  if (route.id === null) return render({ passport_credentials: [] }, 0);
  const asked = world.find(records, route.id);
  if (!asked) return failure(404, "Resource not found.");
  const record =
    route.endpoint === "passport" ? deliveredRecord(world, entries, records, asked, clock) : asked;
  const rank = world.rankAtStart(record.index);
  return render(
    route.endpoint === "passport"
      ? { passport: world.singlePassport(record) }
      : { passport_credentials: world.credentials(record) },
    rank,
  );
}

export function answerRequest(
  world: World,
  timeline: TimelineEntry[],
  target: string,
  key: string | undefined,
  clock: number,
): Answer {
  const { story } = world;
  const variant: Variant =
    key === undefined ? "anonymous" : key === STORY_KEY ? "authenticated" : "wrong-key";
  const route = parseRoute(target);
  const [low, high] = story.service?.latency ?? [80, 240];
  const spread = unit(story.seed, "latency", target, clock);
  const headers: HeaderValues = {
    "Content-Type": "application/json; charset=utf-8",
    Date: new Date(clock).toUTCString(),
    "X-V1watch-Latency": String(Math.round(low + (high - low) * spread * spread)),
  };
  if (!route) return { action: "answer", status: 404, headers, body: '{"error":"Not Found"}' };
  const entries = activeEntries(story, timeline, {
    endpoint: route.endpoint,
    variant,
    clock,
    requestKind: () => requestKind(world, route, clock),
  });
  let action: Answer["action"] = "answer";
  let response: { status: number; body: string } | null = null;
  for (const {
    behaviour: { effect },
  } of entries) {
    if (effect.kind === "headers") addHeaders(story, headers, effect.headers, clock);
    if (effect.kind === "date-skew") headers.Date = new Date(clock + parseDuration(effect.by)).toUTCString();
    if (effect.kind === "latency")
      headers["X-V1watch-Latency"] = String(
        Math.round(effect.ms[0] + (effect.ms[1] - effect.ms[0]) * spread),
      );
    if (effect.kind === "truncate") action = "truncate";
    if (action === "reset" || action === "hang" || response) continue;
    if (effect.kind === "reset" || effect.kind === "hang") action = effect.kind;
    if (effect.kind === "respond") {
      addHeaders(story, headers, effect.headers ?? {}, clock);
      const body = effect.body ?? { error: STATUS_CODES[effect.status] ?? "Error" };
      response = { status: effect.status, body: typeof body === "string" ? body : JSON.stringify(body) };
    }
  }
  if (action === "reset" || action === "hang") return { action, status: 0, headers, body: "" };
  return { action, headers, ...(response ?? ordinaryAnswer(world, entries, route, variant, clock)) };
}

function send(response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.body);
  response.sendDate = false;
  response.writeHead(answer.status, { ...answer.headers, "Content-Length": body.length });
  if (answer.action === "truncate")
    response.write(body.subarray(0, body.length >> 1), () => response.socket?.destroy());
  else response.end(body);
}

/** Ids of passports of middle and high rank that a watch may be configured with. */
export function samplePassportIds(story: Story, ranks = [1, 2, 3]): number[] {
  const world = new World(story);
  const clock = Date.parse(story.start);
  const records = world.records(ordinaryView(clock), clock);
  return ranks.map((rank) => records[rank - 1]?.passport.passport_id ?? 0);
}

/** `now` is the clock of requests that do not carry an instant; it stands at the story's start where it is left out. */
export function startStoryServer(
  story: Story,
  now?: () => number,
  onRequest?: (target: string) => void,
): Promise<{ url: string; close(): Promise<void> }> {
  const world = new World(story);
  const timeline = parseTimeline(story);
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    onRequest?.(request.url ?? "/");
    if (request.method !== "GET") {
      response.writeHead(405).end();
      return;
    }
    const header = request.headers["x-v1watch-clock"];
    const clock = typeof header === "string" ? Date.parse(header) : (now?.() ?? world.start);
    const key = request.headers["x-api-key"];
    const answer = answerRequest(
      world,
      timeline,
      request.url ?? "/",
      Array.isArray(key) ? key[0] : key,
      Number.isNaN(clock) ? world.start : clock,
    );
    if (answer.action === "reset") request.socket.destroy();
    else if (answer.action !== "hang") send(response, answer);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
