/** The story format: what a simulated V1 does over time, and which messages a correct watch sends. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { z } from "zod";
import { ruleIds } from "../../lib/records/incident.ts";

export const ENDPOINTS = ["passport-list", "passport", "passport-credentials"] as const;
export type Endpoint = (typeof ENDPOINTS)[number];
export type Variant = "authenticated" | "anonymous" | "wrong-key";
/** What a request asks for; "primary" is the ordinary check: page 1 of the list, or a known passport by its id. */
export const REQUEST_KINDS = ["page-2", "by-other-id", "unknown-id", "keyword", "primary"] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export const STORY_KEY = "story-key";
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const durationPattern = /^(?=-?\d)(-?)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
export const timePattern = /^([01]\d|2[0-3]):([0-5]\d)$/;
const duration = z.string().regex(durationPattern, "not a duration such as 3d4h12m");
const timeOfDay = z.string().regex(timePattern, "not a time such as 03:30");
/** An offset from the start of the story, or an instant. */
const instant = z.union(
  [duration, z.iso.datetime()],
  "neither a duration such as 3d4h12m nor an ISO instant",
);
const interval = z.tuple([instant, instant]);
const range = z.tuple([z.number(), z.number()]);
const endpoints = z.array(z.enum(ENDPOINTS));
const headerLine = z.string().refine((line) => {
  const offsets = [...line.matchAll(/\{(?:http|iso)-date:\+?([^}]*)\}/g)].map(([, offset = ""]) => offset);
  return offsets.every((offset) => durationPattern.test(offset));
}, "a date without a duration such as 30d");
const headers = z.record(z.string(), z.union([headerLine, z.array(headerLine)]));

const service = z.strictObject({
  /** Number of passports at the start. Default 200. */
  passports: z.number().optional(),
  /** New passports per day. Default 0. */
  growthPerDay: z.number().optional(),
  /** Whether a request without a key is served. Default "served". */
  anonymous: z.enum(["served", "refused"]).optional(),
  /** No score is recalculated at rest; requests are still served. */
  rest: z
    .strictObject({
      zone: z.string().optional(),
      nights: z.string().optional(),
      weekends: z.boolean().optional(),
    })
    .optional(),
  /** Ordinary latency in milliseconds, smallest and largest. Default [80, 240]. */
  latency: range.optional(),
});
export type Service = z.infer<typeof service>;

export const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

export type Weekday = (typeof WEEKDAYS)[number];

const recurrence = z.strictObject({
  /** Start of the daily window in `zone` (UTC unless given). */
  at: timeOfDay.optional(),
  /** Instead of `at`: one window every so many minutes, counted from the behaviour's start. */
  everyMinutes: z.number().optional(),
  /** Length of each window. */
  minutes: z.number(),
  weekdays: z.array(z.enum(WEEKDAYS)).optional(),
  everyDays: z.number().optional(),
  zone: z.string().optional(),
});
export type Recurrence = z.infer<typeof recurrence>;

/** Effects without settings. */
const plainEffects = [
  ...(["reset", "hang", "truncate", "v2-shape", "empty-list", "zero-scores", "empty-credentials"] as const),
  ...(["another-record", "duplicate-rows", "repeat-page", "freeze", "dates-only", "dates-now"] as const),
  ...(["bulk-recalculation", "delete", "shuffle"] as const),
] as const;

const effect = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(plainEffects) }),
  z.strictObject({
    kind: z.literal("respond"),
    status: z.number(),
    headers: headers.optional(),
    body: z.json().optional(),
  }),
  z.strictObject({ kind: z.literal("latency"), ms: range }),
  z.strictObject({ kind: z.literal("headers"), headers }),
  z.strictObject({ kind: z.enum(["date-skew", "rewind", "future-dates"]), by: duration }),
  z.strictObject({
    kind: z.literal("field"),
    op: z.enum(["retype", "remove", "rename", "null", "set", "add"]),
    path: z.string(),
    to: z.string().optional(),
    value: z.json().optional(),
    root: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal("equal-scores"), value: z.number() }),
  z.strictObject({ kind: z.literal("round-scores"), step: z.number() }),
  z.strictObject({ kind: z.literal("scale-scores"), factor: z.number().positive() }),
  z.strictObject({ kind: z.literal("new-credential-type"), type: z.string() }),
  z.strictObject({
    kind: z.literal("shrink"),
    fraction: z.number().optional(),
    perDay: z.number().optional(),
  }),
  z.strictObject({
    kind: z.literal("unsafe"),
    form: z.enum(["deep-nesting", "huge-numbers", "prototype-keys", "long-strings"]),
  }),
]);
export type Effect = z.infer<typeof effect>;
export type HeaderValues = z.infer<typeof headers>;

const behaviour = z.strictObject({
  /** Default: the start. */
  from: instant.optional(),
  /** Exclusive end. Default: the end of the story. */
  to: instant.optional(),
  recur: recurrence.optional(),
  endpoints: endpoints.optional(),
  variant: z.enum(["authenticated", "anonymous", "all"]).optional(),
  /** Only requests of these kinds. Default: all. */
  requests: z.array(z.enum(REQUEST_KINDS)).optional(),
  /** Chance per request, decided by the seed and the instant. */
  probability: z.number().optional(),
  /** Share of the records that the effect covers, decided by the seed and the record. */
  share: z.number().optional(),
  /** Only the records that had these ranks in the list at the start (1 is the highest score). */
  ranks: z.array(z.number()).optional(),
  /** The share is drawn anew for every request. */
  flicker: z.boolean().optional(),
  effect,
});
export type Behaviour = z.infer<typeof behaviour>;

/** "any-failure" means every rule of the failure family. */
const rules = z.array(z.enum([...ruleIds, "digest", "any-failure"]));
const events = z.array(z.enum(["opened", "changed", "resolved", "reminder", "digest", "countdown"]));
const severity = z.enum(["page", "warning", "info"]);
const scope = z.enum(["api", "endpoint"]);

const expectedMessage = z.strictObject({
  /** Acceptable rule ids. Absent: any rule. */
  rule: rules.optional(),
  event: events,
  severity: z.union([severity, z.array(severity)]).optional(),
  scope: scope.optional(),
  /** Exactly these endpoints. */
  endpoints: endpoints.optional(),
  after: instant,
  by: instant,
  /** `facts.firstBadAt` or that of one of its rows must lie in this interval. */
  firstBad: interval.optional(),
  /** At least one of these strings occurs in the alert, ignoring case. */
  mentions: z.array(z.string()).optional(),
});
export type ExpectedMessage = z.infer<typeof expectedMessage>;

const forbiddenMessage = z.strictObject({
  rule: rules.optional(),
  event: events.optional(),
  severity: severity.optional(),
  scope: scope.optional(),
  from: instant.optional(),
  to: instant.optional(),
});
export type ForbiddenMessage = z.infer<typeof forbiddenMessage>;

const truth = z.strictObject({
  messages: z.array(expectedMessage),
  maxPages: z.number(),
  /** Digests, countdowns and reminders are not counted. */
  maxMessages: z.number(),
  forbiddenRules: rules.optional(),
  forbidden: z.array(forbiddenMessage).optional(),
  /** Intervals without any message except digests, countdowns and reminders. */
  quiet: z.array(interval).optional(),
});
export type Truth = z.infer<typeof truth>;

export const storyFormat = z.strictObject({
  name: z.string(),
  kind: z.enum(["calm", "fault"]),
  description: z.string().regex(/^[A-Z].*\.$/, "not a sentence"),
  start: z.iso.datetime({ precision: 0 }),
  days: z.int(),
  seed: z.int(),
  service: service.optional(),
  timeline: z.array(behaviour),
  truth,
});
export type Story = z.infer<typeof storyFormat>;

/** Throws with everything in the file that the format does not have. */
export function readStory(path: string): Story {
  const { data, error } = storyFormat.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (error) throw new Error(`${basename(path)}:\n${z.prettifyError(error)}`);
  return data;
}

/** Converts "1d2h3m", "-90m" or "45s" to milliseconds. */
export function parseDuration(text: string): number {
  const match = durationPattern.exec(text);
  if (!match) throw new Error(`"${text}" is not a duration such as 3d4h12m`);
  const [days, hours, minutes, seconds] = match.slice(2).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return (match[1] === "-" ? -1 : 1) * (days * DAY + hours * HOUR + minutes * MINUTE + seconds * 1000);
}

/** Converts an offset from the story's start, or an ISO instant, to epoch milliseconds. */
export function parseInstant(story: Story, text: string): number {
  if (!/^\d{4}-/.test(text)) return Date.parse(story.start) + parseDuration(text);
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw new Error(`"${text}" is not an ISO instant`);
  return instant;
}

/** A 32-bit hash of the parts; the same parts always give the same number. */
export function hash(...parts: (string | number)[]): number {
  let h1 = 0x9e3779b9;
  let h2 = 0x85ebca6b;
  const text = parts.join("|");
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    h1 = Math.imul(h1 ^ code, 2654435761);
    h2 = Math.imul(h2 ^ code, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h1 = Math.imul(h1 ^ (h1 >>> 15), 2246822519);
  h1 = Math.imul(h1 ^ (h1 >>> 13), 3266489917);
  return (h1 ^ (h1 >>> 16)) >>> 0;
}

/** A number in [0, 1) that depends only on the parts. */
export const unit = (...parts: (string | number)[]): number => hash(...parts) / 4294967296;
