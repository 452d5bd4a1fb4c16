/** Validates every story and requests its server to show that each effect really occurs. Uses 127.0.0.1 only. */
import { readdirSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { itemsOf } from "./body-effects.ts";
import { type Alert, scoreStory } from "./score.ts";
import { samplePassportIds, startStoryServer } from "./server.ts";
import { isInWindow, parseTimeline, type TimelineEntry } from "./timeline.ts";
import {
  DAY,
  ENDPOINTS,
  type Endpoint,
  HOUR,
  type Json,
  type JsonObject,
  MINUTE,
  parseDuration,
  parseInstant,
  type RequestKind,
  readStory,
  STORY_KEY,
  type Story,
} from "./types.ts";
import { validateStory } from "./validate.ts";

interface Reply {
  outcome: "answer" | "failed" | "timeout";
  status: number;
  headers: Record<string, string>;
  text: string;
}

function request(base: string, path: string, clock: number, key: string | undefined): Promise<Reply> {
  return new Promise((resolve) => {
    const failed = (outcome: "failed" | "timeout"): void =>
      resolve({ outcome, status: 0, headers: {}, text: "" });
    const headers = {
      "X-V1watch-Clock": new Date(clock).toISOString(),
      ...(key === undefined ? {} : { "X-API-KEY": key }),
    };
    const call = get(base + path, { headers, timeout: 300, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("error", () => failed("failed"));
      response.on("end", () => {
        const lines = Object.entries(response.headersDistinct).map(([name, values]) => [
          name,
          (values ?? []).join(", "),
        ]);
        resolve({
          outcome: "answer",
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(lines),
          text,
        });
      });
    });
    call.on("timeout", () => {
      failed("timeout");
      call.destroy();
    });
    call.on("error", () => failed("failed"));
  });
}

const pathOf = (endpoint: Endpoint, id: number): string =>
  endpoint === "passport-list"
    ? "/api/v1/passports"
    : endpoint === "passport"
      ? `/api/v1/passports/${id}`
      : `/api/v1/passport_credentials?passport_id=${id}`;

/** The path of a request of one kind, or null where the endpoint has no such request. */
function pathOfKind(kind: RequestKind, endpoint: Endpoint, id: number, wallet: string): string | null {
  const ofPassport = (asked: string): string =>
    endpoint === "passport"
      ? `/api/v1/passports/${asked}`
      : `/api/v1/passport_credentials?passport_id=${asked}`;
  if (kind === "primary") return pathOf(endpoint, id);
  if (kind === "page-2" || kind === "keyword")
    return endpoint !== "passport-list"
      ? null
      : kind === "keyword"
        ? "/api/v1/passports?keyword=a"
        : "/api/v1/passports?page=2";
  if (endpoint === "passport-list") return null;
  return ofPassport(kind === "by-other-id" ? wallet : "1");
}

/** The endpoints on which an effect can be seen. */
const VISIBLE_ON: Record<string, Endpoint[]> = {
  "another-record": ["passport"],
  "duplicate-rows": ["passport-list", "passport-credentials"],
  "repeat-page": ["passport-list"],
};

const idsOf = (endpoint: Endpoint, body: JsonObject | null): string[] =>
  itemsOf(endpoint, body ?? {}).map((item) => String(item.passport_id ?? item.id));

/** Whether a sent header is the template's value at the clock; other templates than dates fit anything. */
function fitsTemplate(sent: string, template: string, clock: number): boolean {
  const match = /^\{(?:http|iso)-date:\+?([^}]+)\}$/.exec(template);
  return !match || Math.abs(Date.parse(sent) - clock - parseDuration(match[1] ?? "")) < 1000;
}

function parse(reply: Reply): JsonObject | null {
  try {
    return JSON.parse(reply.text) as JsonObject;
  } catch {
    return null;
  }
}

/** All values that a path of a field effect reaches, with undefined for an absent field. */
function valuesAt(item: JsonObject, path: string[]): (Json | undefined)[] {
  const [segment = "", ...rest] = path;
  if (rest.length === 0) return [item[segment]];
  const next = item[segment.replace("[]", "")];
  return (Array.isArray(next) ? next : [next]).flatMap((child) =>
    child && typeof child === "object" ? valuesAt(child as JsonObject, rest) : [],
  );
}

const scoresOf = (endpoint: Endpoint, body: JsonObject | null): Json[] =>
  itemsOf(endpoint, body ?? {}).map((item) => item.score ?? null);
const datesOf = (endpoint: Endpoint, body: JsonObject | null): string[] =>
  itemsOf(endpoint, body ?? {}).map((item) => String(item.last_calculated_at));

/** Whether a reply shows the effect of an entry; `plain` is the reply of the same service without a timeline. */
function showsEffect(
  entry: TimelineEntry,
  endpoint: Endpoint,
  reply: Reply,
  plain: Reply,
  clock: number,
): boolean {
  const effect = entry.behaviour.effect;
  const [body, plainBody] = [parse(reply), parse(plain)];
  const items = itemsOf(endpoint, body ?? {});
  const hasHeaders = (headers: Record<string, string | string[]>): boolean =>
    Object.entries(headers).every(([name, value]) => {
      const sent = reply.headers[name.toLowerCase()];
      if (sent === undefined) return false;
      return String(value).includes("{")
        ? fitsTemplate(sent, String(value), clock)
        : sent === [value].flat().join(", ");
    });
  switch (effect.kind) {
    case "respond":
      return (
        reply.status === effect.status &&
        hasHeaders(effect.headers ?? {}) &&
        (effect.body === undefined ||
          reply.text === (typeof effect.body === "string" ? effect.body : JSON.stringify(effect.body)))
      );
    case "reset":
    case "truncate":
      return reply.outcome === "failed";
    case "hang":
      return reply.outcome === "timeout";
    case "latency":
      return (
        Number(reply.headers["x-v1watch-latency"]) >= effect.ms[0] &&
        Number(reply.headers["x-v1watch-latency"]) <= effect.ms[1]
      );
    case "headers":
      return hasHeaders(effect.headers);
    case "date-skew":
      return Math.abs(Date.parse(reply.headers.date ?? "") - clock - parseDuration(effect.by)) < 1000;
    case "field": {
      const path = effect.path.split(".");
      const before = (effect.root ? [plainBody ?? {}] : itemsOf(endpoint, plainBody ?? {})).flatMap((item) =>
        valuesAt(item, path),
      );
      const after = (effect.root ? [body ?? {}] : items).flatMap((item) => valuesAt(item, path));
      if (effect.op === "null") return after.includes(null) && !before.includes(null);
      if (effect.op === "remove" || effect.op === "rename")
        return after.includes(undefined) && !before.includes(undefined);
      if (effect.op === "set" || effect.op === "add")
        return after.some((value) => JSON.stringify(value) === JSON.stringify(effect.value));
      return after.some((value, i) => value !== before[i]);
    }
    case "v2-shape":
      return body !== null && ("profiles" in body || "profile" in body || "credentials" in body);
    case "empty-list":
      return items.length === 0 && Number((body?.pagination as JsonObject | undefined)?.total) > 0;
    case "zero-scores":
      return items.length > 0 && scoresOf(endpoint, body).every((score) => score === 0);
    case "equal-scores":
      return items.length > 0 && scoresOf(endpoint, body).every((score) => score === effect.value);
    case "round-scores":
      return (
        scoresOf(endpoint, body).every((score) => Number(score) % effect.step === 0) ||
        endpoint === "passport-credentials"
      );
    case "empty-credentials":
      return items.length === 0 && itemsOf(endpoint, plainBody ?? {}).length > 0;
    case "another-record":
      return items.length === 1 && idsOf(endpoint, body)[0] !== idsOf(endpoint, plainBody)[0];
    case "duplicate-rows":
      return new Set(idsOf(endpoint, body)).size < items.length;
    case "repeat-page":
      return (
        (body?.pagination as JsonObject | undefined)?.current_page === 2 &&
        idsOf(endpoint, body).join() === idsOf(endpoint, plainBody).join()
      );
    case "scale-scores":
      return scoresOf(endpoint, body).some(
        (score, i) =>
          score !== scoresOf(endpoint, plainBody)[i] &&
          score === Math.round(Number(scoresOf(endpoint, plainBody)[i]) * effect.factor),
      );
    case "new-credential-type":
      return items.some((item) => item.type === effect.type);
    case "freeze":
      return datesOf(endpoint, body).some(
        (date, i) => Date.parse(date) <= entry.from && date !== datesOf(endpoint, plainBody)[i],
      );
    case "rewind":
      return (
        reply.text !== plain.text &&
        datesOf(endpoint, body).every((date) => Date.parse(date) <= clock - parseDuration(effect.by))
      );
    case "dates-only":
      return (
        reply.text !== plain.text && datesOf(endpoint, body).some((date) => Date.parse(date) > entry.from)
      );
    case "dates-now":
      return datesOf(endpoint, body).every((date) => Date.parse(date) === clock);
    case "future-dates":
      return datesOf(endpoint, body).some((date) => Date.parse(date) > clock);
    case "bulk-recalculation":
      return (
        clock < entry.from + HOUR || datesOf(endpoint, body).every((date) => Date.parse(date) >= entry.from)
      );
    case "delete":
    case "shrink":
      return endpoint === "passport-list"
        ? Number((body?.pagination as JsonObject | undefined)?.total) <
            Number((plainBody?.pagination as JsonObject | undefined)?.total)
        : reply.status === 404;
    case "shuffle":
      return scoresOf(endpoint, body).some((score, i, all) => i > 0 && Number(score) > Number(all[i - 1]));
    case "unsafe":
      return effect.form === "deep-nesting"
        ? reply.text.includes("[".repeat(1000))
        : effect.form === "huge-numbers"
          ? reply.text.includes("1e400")
          : reply.text.length > 2_000_000 || reply.text.includes("__proto__");
  }
}

/** Up to `count` instants at which an entry is active, spread over its interval. */
function activeInstants(entry: TimelineEntry, end: number, count: number): number[] {
  const instants: number[] = [];
  for (let clock = entry.from; clock < Math.min(entry.to, end); clock += MINUTE)
    if (isInWindow(entry, clock)) instants.push(clock);
  const step = Math.max(1, Math.floor(instants.length / count));
  return instants.filter((_, i) => i % step === step - 1).slice(0, count);
}

async function checkEntry(
  story: Story,
  base: string,
  plainBase: string,
  entry: TimelineEntry,
  ids: number[],
  wallets: Map<number, string>,
): Promise<string[]> {
  const where = `timeline[${entry.number}] (${entry.behaviour.effect.kind})`;
  const { probability, variant, requests, share, ranks } = entry.behaviour;
  const { kind } = entry.behaviour.effect;
  const end = Date.parse(story.start) + story.days * DAY;
  const endpoints = (entry.behaviour.endpoints ?? ENDPOINTS).filter((endpoint) =>
    (VISIBLE_ON[kind] ?? ENDPOINTS).includes(endpoint),
  );
  const kinds: RequestKind[] = kind === "repeat-page" ? ["page-2"] : (requests ?? ["primary"]);
  const clocks = activeInstants(entry, end, probability === undefined ? 6 : 300);
  if (clocks.length === 0) return [`${where} is never active.`];
  const key = variant === "anonymous" ? undefined : STORY_KEY;
  let [shown, asked] = [0, 0];
  for (const clock of clocks)
    for (const endpoint of endpoints)
      for (const requestKind of kinds) {
        const id = ids[asked % ids.length] ?? 0;
        const path = pathOfKind(requestKind, endpoint, id, wallets.get(id) ?? "");
        if (path === null) continue;
        const plainPath = kind === "repeat-page" ? pathOf(endpoint, id) : path;
        const [reply, plain] = await Promise.all([
          request(base, path, clock, key),
          request(plainBase, plainPath, clock, key),
        ]);
        asked += 1;
        if (showsEffect(entry, endpoint, reply, plain, clock)) shown += 1;
      }
  if (requests && !requests.includes("primary")) {
    const alone = await startStoryServer({ ...story, timeline: [entry.behaviour] });
    const path = pathOf(endpoints[0] ?? "passport-list", ids[0] ?? 0);
    const [reply, plain] = await Promise.all([
      request(alone.url, path, clocks[0] ?? 0, key),
      request(plainBase, path, clocks[0] ?? 0, key),
    ]);
    await alone.close();
    if (reply.status !== plain.status || reply.text !== plain.text)
      return [`${where} changes the primary request too.`];
  }
  if (probability !== undefined && kind !== "rewind" && share === undefined && ranks === undefined) {
    const tolerance = 4 * Math.sqrt((probability * (1 - probability)) / asked) + 0.002;
    return Math.abs(shown / asked - probability) <= tolerance
      ? []
      : [`${where} occurred in ${shown} of ${asked} requests; the probability is ${probability}.`];
  }
  const isAlways = [
    "respond",
    "reset",
    "hang",
    "truncate",
    "latency",
    "headers",
    "v2-shape",
    "zero-scores",
    "equal-scores",
    "dates-now",
    "empty-list",
    "empty-credentials",
    "unsafe",
  ].includes(entry.behaviour.effect.kind);
  const isShadowed = story.timeline
    .slice(0, entry.number)
    .some((earlier) => earlier.effect.kind === "respond");
  if (isAlways && !isShadowed && shown < asked)
    return [`${where} occurred in ${shown} of ${asked} requests.`];
  return shown > 0 ? [] : [`${where} did not occur in ${asked} requests.`];
}

/** The longest time that the newest date of the first page stood still, asked every 36 minutes, in hours. */
async function longestGapHours(story: Story, base: string): Promise<number> {
  const start = Date.parse(story.start);
  let [newest, longest] = [0, 0];
  for (let clock = start; clock < start + story.days * DAY; clock += 36 * MINUTE) {
    const reply = await request(base, "/api/v1/passports", clock, STORY_KEY);
    const dates = datesOf("passport-list", parse(reply))
      .map((date) => Date.parse(date))
      .filter((date) => date <= clock);
    if (reply.status !== 200 || dates.length === 0) continue;
    newest = Math.max(newest, ...dates);
    longest = Math.max(longest, clock - newest);
  }
  return longest / HOUR;
}

/** The messages of a watch that does what the truth says, each at its deadline. */
function idealMessages(story: Story): Alert[] {
  return story.truth.messages.map((expected, number) => ({
    id: `ideal-${number}`,
    at: new Date(parseInstant(story, expected.by)).toISOString(),
    event: expected.event[0] ?? "",
    severity: [expected.severity ?? "warning"].flat()[0] ?? "",
    rule: expected.rule?.[0]?.replace("any-failure", "down") ?? "digest",
    scope: expected.scope ?? "endpoint",
    endpoints: expected.endpoints ?? ENDPOINTS,
    subject: "",
    text: expected.mentions?.[0] ?? "",
    facts: expected.firstBad
      ? { firstBadAt: new Date(parseInstant(story, expected.firstBad[0])).toISOString() }
      : {},
  }));
}

/** Requests that every story must answer in the ordinary way at an instant without active behaviours. */
async function checkOrdinary(base: string, clock: number, ids: number[]): Promise<string[]> {
  const problems: string[] = [];
  const expect = (isRight: boolean, what: string): void =>
    void (isRight || problems.push(`Ordinary service: ${what}.`));
  const ask = (path: string, key: string | undefined = STORY_KEY) => request(base, path, clock, key);
  const list = await ask("/api/v1/passports");
  const scores = scoresOf("passport-list", parse(list)).map(Number);
  expect(
    list.status === 200 && scores.length > 0 && scores.length <= 25,
    "the list has a page of up to 25 passports",
  );
  expect(
    scores.every((score, i) => i === 0 || score <= (scores[i - 1] ?? 0)),
    "the list is sorted by score in descending order",
  );
  expect(
    (await ask("/api/v1/passports")).text === list.text,
    "the same request at the same instant gets the same answer",
  );
  const second = parse(await ask("/api/v1/passports?page=2"));
  expect((second?.pagination as JsonObject | undefined)?.current_page === 2, "the second page says so");
  const first = itemsOf("passport-list", parse(list) ?? {})[0] ?? {};
  const byWallet = parse(await ask(`/api/v1/passports/${String(first.main_wallet)}`));
  expect(
    (byWallet?.passport as JsonObject | undefined)?.passport_id === first.passport_id,
    "a passport is found by its wallet",
  );
  const name = String((first.passport_profile as JsonObject).display_name).split(" ")[0] ?? "";
  expect(
    itemsOf("passport-list", parse(await ask(`/api/v1/passports?keyword=${name}`)) ?? {}).length > 0,
    "a keyword finds a passport by its name",
  );
  expect(
    (await ask("/api/v1/passports/1")).text === '{"error":"Resource not found."}',
    "an unknown id gets the error body",
  );
  expect((await ask("/api/v1/passports", "wrong")).status === 401, "a wrong key gets 401");
  expect(
    itemsOf("passport-credentials", parse(await ask(pathOf("passport-credentials", ids[0] ?? 0))) ?? {})
      .length >= 3,
    "a sample has credentials",
  );
  return problems;
}

/** Its problems, and for how long the newest date stands still. */
async function checkStory(story: Story, file: string): Promise<{ problems: string[]; gapHours: number }> {
  const problems = validateStory(story, file);
  const [server, plain] = [await startStoryServer(story), await startStoryServer({ ...story, timeline: [] })];
  const ids = samplePassportIds(story);
  const wallets = new Map<number, string>();
  for (const id of ids) {
    const body = parse(await request(plain.url, pathOf("passport", id), Date.parse(story.start), STORY_KEY));
    wallets.set(id, String((body?.passport as JsonObject | undefined)?.main_wallet));
  }
  problems.push(...(await checkOrdinary(plain.url, Date.parse(story.start) + 7 * HOUR, ids)));
  for (const entry of parseTimeline(story))
    problems.push(...(await checkEntry(story, server.url, plain.url, entry, ids, wallets)));
  const silent = scoreStory(story, []);
  if (story.kind === "fault" && silent.ok) problems.push("A silent watch would pass this fault story.");
  if (story.kind === "calm" && !silent.ok && story.truth.messages.length === 0)
    problems.push("A silent watch would fail this calm story.");
  const ideal = scoreStory(story, idealMessages(story));
  if (!ideal.ok) problems.push(`An ideal watch would fail this story: ${ideal.problems.join(" ")}`);
  const pages = Array.from(
    { length: story.truth.maxPages + 1 },
    (_, i): Alert => ({
      id: `noise-${i}`,
      at: story.start,
      event: "opened",
      severity: "page",
      rule: "down",
      scope: "api",
      endpoints: ENDPOINTS,
      subject: "",
      text: "",
    }),
  );
  if (scoreStory(story, [...idealMessages(story), ...pages]).ok)
    problems.push("A watch with needless pages would pass this story.");
  const gapHours = story.timeline.some((behaviour) => behaviour.effect.kind === "hang")
    ? 0
    : await longestGapHours(story, server.url);
  if (story.kind === "calm" && gapHours > 72)
    problems.push(`The newest date stands still for ${gapHours.toFixed(1)} h in a calm story.`);
  await Promise.all([server.close(), plain.close()]);
  return { problems, gapHours };
}

const folder = process.env.STORIES ?? join(import.meta.dirname, "stories");
const wanted = process.argv.slice(2);
const files = readdirSync(folder)
  .filter(
    (file) => file.endsWith(".json") && (wanted.length === 0 || wanted.includes(file.replace(".json", ""))),
  )
  .sort();
if (files.length === 0) throw new Error("There is no such story.");
let [failures, days, calm] = [0, 0, 0];
for (const file of files) {
  try {
    const story = readStory(join(folder, file));
    const { problems, gapHours } = await checkStory(story, file);
    days += story.days;
    calm += story.kind === "calm" ? 1 : 0;
    failures += problems.length;
    console.log(
      `${problems.length === 0 ? "ok  " : "FAIL"} ${story.name}: ${story.days} days, longest age of the newest date ${gapHours.toFixed(1)} h`,
    );
    for (const problem of problems) console.log(`       ${problem}`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL ${error instanceof Error ? error.message : error}`);
  }
}
console.log(`${files.length} stories (${calm} calm), ${days} virtual days, ${failures} problems.`);
process.exitCode = failures === 0 ? 0 : 1;
