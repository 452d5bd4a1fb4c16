/** The story format: what a simulated V1 does over time, and which messages a correct watch sends. */
export type Endpoint = "passport-list" | "passport" | "passport-credentials";
export type Variant = "authenticated" | "anonymous" | "wrong-key";
/** What a request asks for; "primary" is the ordinary check: page 1 of the list, or a known passport by its id. */
export type RequestKind = "page-2" | "by-other-id" | "unknown-id" | "keyword" | "primary";
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type HeaderValues = Record<string, string | string[]>;

export const ENDPOINTS: Endpoint[] = ["passport-list", "passport", "passport-credentials"];
export const REQUEST_KINDS: RequestKind[] = ["page-2", "by-other-id", "unknown-id", "keyword", "primary"];
export const STORY_KEY = "story-key";
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Service {
  /** Number of passports at the start. Default 200. */
  passports?: number | undefined;
  /** New passports per day. Default 0. */
  growthPerDay?: number | undefined;
  /** Whether a request without a key is served. Default "served". */
  anonymous?: "served" | "refused" | undefined;
  /** No score is recalculated at rest; requests are still served. */
  rest?:
    | { zone?: string | undefined; nights?: string | undefined; weekends?: boolean | undefined }
    | undefined;
  /** Ordinary latency in milliseconds, smallest and largest. Default [80, 240]. */
  latency?: [number, number] | undefined;
}

export interface Recurrence {
  /** Start of the daily window, "hh:mm" in `zone` (UTC unless given). */
  at?: string | undefined;
  /** Instead of `at`: one window every so many minutes, counted from the behaviour's start. */
  everyMinutes?: number | undefined;
  /** Length of each window. */
  minutes: number;
  weekdays?: string[] | undefined;
  everyDays?: number | undefined;
  zone?: string | undefined;
}

export type Effect =
  | { kind: "respond"; status: number; headers?: HeaderValues | undefined; body?: Json | undefined }
  | { kind: "reset" }
  | { kind: "hang" }
  | { kind: "truncate" }
  | { kind: "latency"; ms: [number, number] }
  | { kind: "headers"; headers: HeaderValues }
  | { kind: "date-skew"; by: string }
  | {
      kind: "field";
      op: "retype" | "remove" | "rename" | "null" | "set" | "add";
      path: string;
      to?: string | undefined;
      value?: Json | undefined;
      root?: boolean | undefined;
    }
  | { kind: "v2-shape" }
  | { kind: "empty-list" }
  | { kind: "zero-scores" }
  | { kind: "equal-scores"; value: number }
  | { kind: "round-scores"; step: number }
  | { kind: "empty-credentials" }
  | { kind: "another-record" }
  | { kind: "duplicate-rows" }
  | { kind: "repeat-page" }
  | { kind: "scale-scores"; factor: number }
  | { kind: "new-credential-type"; type: string }
  | { kind: "freeze" }
  | { kind: "rewind"; by: string }
  | { kind: "dates-only" }
  | { kind: "dates-now" }
  | { kind: "future-dates"; by: string }
  | { kind: "bulk-recalculation" }
  | { kind: "delete" }
  | { kind: "shrink"; fraction?: number | undefined; perDay?: number }
  | { kind: "shuffle" }
  | { kind: "unsafe"; form: "deep-nesting" | "huge-numbers" | "prototype-keys" | "long-strings" };

export interface Behaviour {
  /** Offset from the start ("3d4h12m") or an ISO instant. Default: the start. */
  from?: string | undefined;
  /** Exclusive end. Default: the end of the story. */
  to?: string | undefined;
  recur?: Recurrence | undefined;
  endpoints?: Endpoint[] | undefined;
  variant?: "authenticated" | "anonymous" | "all" | undefined;
  /** Only requests of these kinds. Default: all. */
  requests?: RequestKind[] | undefined;
  /** Chance per request, decided by the seed and the instant. */
  probability?: number | undefined;
  /** Share of the records that the effect covers, decided by the seed and the record. */
  share?: number | undefined;
  /** Only the records that had these ranks in the list at the start (1 is the highest score). */
  ranks?: number[] | undefined;
  /** The share is drawn anew for every request. */
  flicker?: boolean | undefined;
  effect: Effect;
}

export interface ExpectedMessage {
  /** Acceptable rule ids; "any-failure" means every rule of the failure family. Absent: any rule. */
  rule?: string[];
  event: string[];
  severity?: string | string[];
  scope?: string;
  /** Exactly these endpoints. */
  endpoints?: Endpoint[];
  after: string;
  by: string;
  /** `facts.firstBadAt` must lie in this interval. */
  firstBad?: [string, string];
  /** At least one of these strings occurs in the alert, ignoring case. */
  mentions?: string[];
}

export interface ForbiddenMessage {
  rule?: string[];
  event?: string[];
  severity?: string;
  scope?: string;
  from?: string;
  to?: string;
}

export interface Truth {
  messages: ExpectedMessage[];
  maxPages: number;
  /** Digests, countdowns and reminders are not counted. */
  maxMessages: number;
  forbiddenRules?: string[];
  forbidden?: ForbiddenMessage[];
  /** Intervals without any message except digests, countdowns and reminders. */
  quiet?: [string, string][];
}

export interface Story {
  name: string;
  kind: "calm" | "fault";
  description: string;
  start: string;
  days: number;
  seed: number;
  service?: Service;
  timeline: Behaviour[];
  truth: Truth;
}

/** Converts "1d2h3m", "-90m" or "45s" to milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(-?)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  if (!match || !/\d/.test(text)) throw new Error(`"${text}" is not a duration such as 3d4h12m`);
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
