// Random scripts of V1's responses: any status, header and body, in any order, and an end that is permanent. Each is a
// story without a truth, by its seed, and is played over HTTP through the watch loop on a virtual clock.
//   node test/replay/random-script.ts 7      plays the script of a seed and prints its messages and the broken laws

import { fileURLToPath } from "node:url";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import { type Message, replay } from "../../lib/local/replay.ts";
import { textOf } from "../../lib/records/alert.ts";
import type { Incident } from "../../lib/records/incident.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { isAboutV1 } from "../../lib/records/outcome.ts";
import { configure } from "../config/configure.ts";
import { createChance } from "../random.ts";
import { startStoryServer } from "../stories/server.ts";
import {
  type Behaviour,
  DAY,
  type Effect,
  type HeaderValues,
  HOUR,
  type Json,
  MINUTE,
  STORY_KEY,
  type Story,
} from "../stories/types.ts";

export const scriptDays = 40;

/** How V1 ends for good. `refused`: nothing listens at its address any more. */
export type Ending = {
  name: string;
  /** What every request gets from then on. */
  effect: Effect | "refused";
  /** With the key only: anonymous requests are served as before. */
  isOfKey?: boolean;
};

export type Script = {
  seed: number;
  story: Story;
  ending: Ending;
  endMs: number;
};

export type PlayedScript = {
  observations: Observation[];
  messages: Message[];
  /** Pending, firing and resolved ones at the end of the play. */
  incidents: Incident[];
  /** What stopped the play before its end. */
  error: unknown;
};

type Draw = {
  from(low: number, high: number): number;
  whole(low: number, high: number): number;
  is(probability: number): boolean;
  one<T>(list: readonly T[]): T;
};

function createDraw(seed: number): Draw {
  const chance = createChance(seed);
  // Neighbouring seeds have nearly the same first numbers.
  for (let skipped = 0; skipped < 20; skipped += 1) chance();
  const from = (low: number, high: number) => low + chance() * (high - low);
  const whole = (low: number, high: number) => Math.floor(from(low, high + 1));
  return {
    from,
    whole,
    is: (probability) => chance() < probability,
    one: (list) => list[whole(0, list.length - 1)] as (typeof list)[number],
  };
}

const html = "<!doctype html><html><head><title>Moved</title></head><body>This API has moved.</body></html>";

const endings: readonly Ending[] = [
  { name: "410", effect: { kind: "respond", status: 410 } },
  { name: "404", effect: { kind: "respond", status: 404 } },
  { name: "503", effect: { kind: "respond", status: 503 } },
  {
    name: "503 with Retry-After",
    effect: { kind: "respond", status: 503, headers: { "Retry-After": "86400" } },
  },
  { name: "401", effect: { kind: "respond", status: 401 } },
  { name: "401 for the key", effect: { kind: "respond", status: 401 }, isOfKey: true },
  { name: "403", effect: { kind: "respond", status: 403, body: html } },
  { name: "429", effect: { kind: "respond", status: 429, headers: { "Retry-After": "3600" } } },
  {
    name: "301",
    effect: { kind: "respond", status: 301, headers: { Location: "https://api.example.com/v2" } },
  },
  { name: "connection refused", effect: "refused" },
  { name: "connection reset", effect: { kind: "reset" } },
  // A response after the deadline is a timeout on the virtual clock.
  { name: "hang", effect: { kind: "latency", ms: [120_000, 120_000] } },
  {
    name: "HTML",
    effect: { kind: "respond", status: 200, headers: { "Content-Type": "text/html" }, body: html },
  },
  { name: "empty body", effect: { kind: "respond", status: 200, body: "" } },
  { name: "V2's shape", effect: { kind: "v2-shape" } },
];

const statuses = [
  ...[
    200, 201, 202, 204, 206, 300, 301, 302, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410,
  ],
  ...[
    418, 421, 422, 425, 426, 429, 431, 451, 500, 501, 502, 503, 504, 505, 507, 511, 520, 522, 526, 530, 599,
  ],
];

const bodies: readonly Json[] = [
  ...["", "null", "[]", "{}", "0", '"gone"', "{", '{"passport', html, "\u0000\u0001", "plain text"],
  { error: "Unauthorized" },
  { message: "This version of the API is deprecated. Use V2." },
  { status: 200, data: { passports: [] } },
  { passport: null, passports: null, passport_credentials: null },
  { passport: {}, passports: [{}], passport_credentials: [{}] },
];

const httpDate = (ms: number) => new Date(ms).toUTCString();

/** `startMs` and the end are near, so that dates lie before, at and after what happens. */
function drawHeaders(draw: Draw, startMs: number): HeaderValues {
  const date = () => startMs + draw.from(-30, 2 * scriptDays) * DAY;
  const dateText = () =>
    draw.one([
      httpDate(date()),
      new Date(date()).toISOString(),
      new Date(date()).toISOString().slice(0, 10),
      `@${Math.floor(date() / 1_000)}`,
      draw.one(["soon", "", "0", "-1", "Thu, 32 Foo 2026 25:61:61 GMT", "\u00e9t\u00e9", "a".repeat(500)]),
    ]);
  const sunset = () =>
    draw.is(0.6)
      ? httpDate(date())
      : draw.one([dateText(), "{http-date:30d}", "{http-date:-2h}", "{http-date:90s}"]);
  return draw.one<() => HeaderValues>([
    () => ({ Sunset: sunset() }),
    () => ({ Sunset: [sunset(), sunset()] }),
    () => ({ Deprecation: draw.one(["true", dateText()]), Sunset: sunset() }),
    () => ({ Deprecation: draw.one(["true", dateText()]) }),
    () => ({
      Link: `<https://api.example.com/v2>; rel="${draw.one(["sunset", "deprecation", "successor-version", "next"])}"`,
    }),
    () => ({ Warning: `299 - "${draw.one(["Deprecated API", "V1 ends soon", ""])}"` }),
    () => ({ "Retry-After": draw.one([String(draw.whole(0, 200_000)), dateText()]) }),
    () => ({ Date: draw.one([dateText(), "{http-date:0s}"]) }),
    () => ({ "Content-Type": draw.one(["text/html", "", "application/json; charset=utf-16", "image/png"]) }),
    () => ({
      "X-RateLimit-Remaining": draw.one(["0", "-1", "x", "{random:0-9}"]),
      "X-RateLimit-Limit": draw.one(["5000", "0", ""]),
    }),
    () => ({ "X-API-Usage-Current": "{month-checks}", "X-API-Usage-Limit": String(draw.whole(0, 5_000)) }),
  ])();
}

const fieldPaths = [
  "score",
  "passport_id",
  "last_calculated_at",
  "main_wallet",
  "passport_profile.name",
  "type",
];

function drawEffect(draw: Draw, startMs: number): Effect {
  const status = () => (draw.is(0.3) ? draw.whole(200, 599) : draw.one(statuses));
  const respond = (): Effect => ({
    kind: "respond",
    status: status(),
    headers: draw.is(0.5) ? drawHeaders(draw, startMs) : undefined,
    body: draw.is(0.7) ? draw.one(bodies) : undefined,
  });
  const plain: readonly Effect[] = [
    ...[{ kind: "reset" }, { kind: "truncate" }, { kind: "v2-shape" }, { kind: "empty-list" }],
    ...[{ kind: "zero-scores" }, { kind: "empty-credentials" }, { kind: "freeze" }, { kind: "dates-only" }],
    ...[{ kind: "dates-now" }, { kind: "bulk-recalculation" }, { kind: "delete" }, { kind: "shuffle" }],
  ] as Effect[];
  return draw.one<() => Effect>([
    respond,
    respond,
    respond,
    () => ({ kind: "headers", headers: drawHeaders(draw, startMs) }),
    () => ({ kind: "headers", headers: drawHeaders(draw, startMs) }),
    () => draw.one(plain),
    () => draw.one(plain),
    () => ({
      kind: "field",
      op: draw.one(["remove", "null", "retype", "rename"]),
      path: draw.one(fieldPaths),
      to: draw.one(["string", "number", "boolean", "array", "object", "epoch-seconds"]),
    }),
    () => ({
      kind: "latency",
      ms: draw.one([
        [0, 1],
        [900, 4_000],
        [5_000, 20_000],
        [60_000, 90_000],
      ]),
    }),
    () => ({
      kind: "unsafe",
      form: draw.one(["deep-nesting", "huge-numbers", "prototype-keys", "long-strings"]),
    }),
    () => ({ kind: "date-skew", by: `${draw.is(0.5) ? "-" : ""}${draw.one(["7m", "2h", "30d", "20000d"])}` }),
    () => ({ kind: "rewind", by: draw.one(["1d", "30d", "400d"]) }),
    () => ({ kind: "future-dates", by: draw.one(["1h", "30d", "9000d"]) }),
    () => ({ kind: "equal-scores", value: draw.whole(0, 100) }),
    () => ({ kind: "shrink", fraction: draw.from(0, 1) }),
  ])();
}

const offset = (ms: number) => `${Math.max(0, Math.round(ms / 1_000))}s`;

function drawBehaviour(draw: Draw, startMs: number, endsAfterMs: number): Behaviour {
  const effect = drawEffect(draw, startMs);
  const fromMs = draw.from(0, endsAfterMs);
  const lengthMs =
    draw.one([10 * MINUTE, 40 * MINUTE, 3 * HOUR, DAY, 5 * DAY, 20 * DAY]) * draw.from(0.5, 1.5);
  // Only headers and V1's dates may go on beyond the end: everything else would change how V1 ends.
  const goesOn = ["headers", "date-skew"].includes(effect.kind) && draw.is(0.5);
  return {
    from: offset(fromMs),
    to: offset(goesOn ? scriptDays * DAY : Math.min(fromMs + lengthMs, endsAfterMs)),
    endpoints: draw.is(0.4) ? [draw.one(endpointIds)] : undefined,
    variant: draw.is(0.2) ? draw.one(["authenticated", "anonymous"]) : undefined,
    probability: draw.is(0.4) ? draw.one([0.02, 0.1, 0.33, 0.5, 0.9]) : undefined,
    recur: draw.is(0.15)
      ? { everyMinutes: draw.one([30, 240, 1_440]), minutes: draw.whole(1, 200) }
      : undefined,
    effect,
  };
}

export function createScript(seed: number): Script {
  const draw = createDraw(seed);
  const startMs = Date.UTC(2026, 0, 1) + draw.whole(0, 365 * 24 * 60) * MINUTE;
  const ending = draw.one(endings);
  // At least four days of V1's end: what is kept of the checks before it is forgotten after three.
  const endsAfterMs = draw.is(0.1) ? 0 : draw.from(0, (scriptDays - 4) * DAY);
  const end: Behaviour[] =
    ending.effect === "refused"
      ? []
      : [
          {
            from: offset(endsAfterMs),
            variant: ending.isOfKey ? "authenticated" : undefined,
            effect: ending.effect,
          },
        ];
  const announcement: Behaviour[] = draw.is(0.5)
    ? [
        {
          from: offset(endsAfterMs - draw.from(0, 20) * DAY),
          to: draw.is(0.5) ? offset(endsAfterMs) : undefined,
          endpoints: draw.is(0.3) ? [draw.one(endpointIds)] : undefined,
          effect: {
            kind: "headers",
            headers: { Sunset: httpDate(startMs + endsAfterMs + draw.from(-5, 10) * DAY) },
          },
        },
      ]
    : [];
  return {
    seed,
    ending,
    endMs: startMs + endsAfterMs,
    story: {
      name: `random-script-${seed}`,
      kind: "fault",
      description: `V1 ends with ${ending.name}`,
      start: new Date(startMs).toISOString(),
      days: scriptDays,
      seed,
      service: {
        passports: draw.one([3, 60, 200]),
        anonymous: draw.one(["served", "refused"]),
        rest: draw.is(0.3) ? { nights: "20:00-07:00", weekends: true } : undefined,
      },
      timeline: [
        ...end,
        ...announcement,
        ...Array.from({ length: draw.whole(0, 10) }, () => drawBehaviour(draw, startMs, endsAfterMs)),
      ],
      truth: { messages: [], maxPages: 0, maxMessages: 0 },
    },
  };
}

export async function playScript({ seed, story, ending, endMs }: Script): Promise<PlayedScript> {
  const server = await startStoryServer(story);
  const startMs = Date.parse(story.start);
  const played: PlayedScript = { observations: [], messages: [], incidents: [], error: undefined };
  let isListening = true;
  const stopListening = async () => {
    if (isListening) await server.close();
    isListening = false;
  };
  try {
    const { assessment } = await replay({
      config: configure({ baseUrl: server.url }),
      readKey: async () => ({ kind: "key", key: STORY_KEY }),
      clock: { nowMs: startMs },
      untilMs: startMs + story.days * DAY,
      seed,
      signal: new AbortController().signal,
      onClock: (nowMs) => (ending.effect === "refused" && nowMs >= endMs ? stopListening() : undefined),
      onObservation: (observation) => void played.observations.push(observation),
      onMessage: (message) => void played.messages.push(message),
    });
    if (assessment) played.incidents.push(...assessment.state.incidents, ...assessment.state.resolved);
  } catch (error) {
    played.error = error;
  } finally {
    await stopListening();
  }
  return played;
}

/** Scheduled checks are 12 minutes apart, and a Retry-After is honoured for half an hour. */
const maxGapMs = 45 * MINUTE;
/** A page that nobody acknowledges is repeated every day at 9, unless it was sent in the six hours before. */
const maxSilenceMs = 31 * HOUR;

/** The laws that hold whatever V1 answers, as sentences about what broke them. */
export function judgeScript({ story, endMs }: Script, played: PlayedScript): string[] {
  const { observations, messages, incidents, error } = played;
  if (error !== undefined) return [`an exception: ${String((error as Error)?.stack ?? error)}`];
  const problems: string[] = [];
  const untilMs = Date.parse(story.start) + story.days * DAY;
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 16);

  const times = [Date.parse(story.start), ...observations.map(({ at }) => Date.parse(at)), untilMs];
  const gap = times.findIndex((ms, index) => index > 0 && ms - (times[index - 1] ?? ms) > maxGapMs);
  if (gap > 0) problems.push(`no check from ${text(times[gap - 1] ?? 0)} to ${text(times[gap] ?? 0)}`);

  for (const { alert } of messages.filter(({ alert }) => alert.rule === "rule-failed"))
    problems.push(`a rule failed: ${textOf(alert).slice(0, 200)}`);

  const pages = messages
    .filter(({ atMs, alert }) => atMs >= endMs && alert.severity === "page" && alert.event !== "resolved")
    .map(({ atMs }) => atMs);
  const known = [endMs, ...pages, untilMs];
  const silence = known.findIndex((ms, index) => index > 0 && ms - (known[index - 1] ?? ms) > maxSilenceMs);
  if (silence > 0)
    problems.push(
      `V1 ended at ${text(endMs)}, and no page is sent from ${text(known[silence - 1] ?? 0)} to ${text(known[silence] ?? 0)}`,
    );

  const reported = incidents.filter(
    ({ state, severity, sent }) => state === "firing" && severity === "page" && sent.length > 0,
  );
  // Without a list there may be no sample, and without a sample nothing is asked of the other endpoints.
  const checked = new Set(
    observations.filter((one) => one.isPrimary && isAboutV1(one)).map(({ endpoint }) => endpoint),
  );
  const missing = [...checked].filter((id) => !reported.some(({ endpoints }) => endpoints.includes(id)));
  if (missing.length > 0) problems.push(`at the end no announced page fires for ${missing.join(", ")}`);
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const script = createScript(Number(process.argv[2] ?? 1));
  const played = await playScript(script);
  for (const { alert } of played.messages) console.log(`${alert.at} ${alert.id}  ${alert.subject}`);
  console.log(JSON.stringify(script.story.timeline, null, 1));
  console.log(
    `${script.story.start}, ends with ${script.ending.name} at ${new Date(script.endMs).toISOString()}`,
  );
  console.log(`${played.observations.length} checks, ${played.messages.length} messages`);
  for (const problem of judgeScript(script, played)) console.log(`BROKEN: ${problem}`);
}
