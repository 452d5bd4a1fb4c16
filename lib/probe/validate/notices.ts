// Deprecation headers, quota headers, redirects and withdrawal of one response. The target controls these
// headers: every value is bounded and read in linear time, and only names of our own, numbers and
// instants are stored.
import { api, type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { successor } from "../../contract/v1/successor.ts";
import type { Notices } from "../../records/observation.ts";
import { linkRelations } from "../../records/observation.ts";
import { parseDates, parseHttpDate, readTargetNow } from "../http/http-date.ts";
import { containerOf, type FieldValues, heldIn, isJsonObject, isList } from "./field-values.ts";

export type NoticeInput = {
  status: number;
  /** Names in lower case, repeated values joined by commas, as node:http returns them. */
  headers: Readonly<Record<string, string>>;
  requestUrl: URL;
  /** False where a 404 is an expected response, such as for an unknown id. */
  documentedPath: boolean;
  /** By our own clock, for a target that sends no Date header. */
  nowMs: number;
};

const maxHeaderLength = 8192;
const maxRetryAfterSeconds = 366 * 86_400;
// Instants with a year of four digits, which is what a stored record can hold.
const minEpochSeconds = -62_135_596_800;
const maxEpochSeconds = 253_402_300_799;

/** Reads all notices except `body`, which comes from the body (`detectFakeOk`). */
export function readNotices({ status, headers, requestUrl, documentedPath, nowMs }: NoticeInput): Notices {
  const header = (name: string) => (Object.hasOwn(headers, name) ? headers[name]?.trim() : undefined);
  const sunset = readSunset(header("sunset"));
  const deprecation = readDeprecation(header("deprecation"));
  const links = readLinks(header("link"));
  const warning = readWarning(header("warning"));
  const retryAfterSeconds = readRetryAfter(header("retry-after"), readTargetNow(headers, nowMs) ?? nowMs);
  const usage = readUsage(header);
  const redirect = isRedirect(status) ? classifyTarget(header("location"), requestUrl) : undefined;
  const contradictory =
    sunset?.sunset !== undefined && deprecation?.at !== undefined && sunset.sunset < deprecation.at;
  return {
    ...sunset,
    deprecation,
    contradictory: contradictory ? true : undefined,
    links: links.length > 0 ? links : undefined,
    warning,
    retryAfterSeconds,
    usage,
    redirect,
    withdrawn: documentedPath && (status === 404 || status === 410) ? true : undefined,
  };
}

const toInstant = (milliseconds: number) => new Date(milliseconds).toISOString();

function readSunset(text: string | undefined): Pick<Notices, "sunset" | "sunsetText"> | undefined {
  if (text === undefined) return undefined;
  const at = parseDates(text);
  if (at !== undefined) return { sunset: toInstant(at) };
  return { sunsetText: keepDateWords(text.slice(0, 200)).slice(0, 64) };
}

const dateWords = new Set(
  `mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec
  monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
  october november december gmt utc cet cest est edt cst cdt mst mdt pst pdt bst ist jst am pm z q1 q2 q3 q4 h1 h2
  day days week weeks month months quarter year years hour hours today tomorrow now soon later never none null
  unknown undefined tbd tba true false yes no date not set yet early mid late start begin end of the in on at by from
  until before after next this spring summer autumn fall winter invalid`.split(/\s+/),
);
const dateNumbers = /^[+-]?\d{1,4}(?:[-/.:T+]\d{1,4}){0,6}Z?$/;

/** The words and numbers that dates are written with; `[...]` stands for any other text, which may be about a person. */
const keepDateWords = (text: string) =>
  text
    .replace(/[^\s,;()"']+/g, (word) => {
      const bare = word.replace(/\.$/, "");
      return dateWords.has(bare.toLowerCase()) || dateNumbers.test(bare) ? word : "?";
    })
    .replace(/[^\x20-\x7e]/g, "?")
    .replace(/\?(?:[\s,;]*\?)*/g, "[...]");

function readDeprecation(text: string | undefined): Notices["deprecation"] {
  if (text === undefined) return undefined;
  if (text.toLowerCase() === "true") return { form: "draft-true" };
  // A structured date may have parameters, which are ignored.
  const digits = /^@(-?\d{1,15})(?:;|$)/.exec(text)?.[1];
  const seconds = Number(digits ?? Number.NaN);
  if (seconds >= minEpochSeconds && seconds <= maxEpochSeconds) {
    return { form: "rfc9745", at: toInstant(seconds * 1000) };
  }
  const at = parseHttpDate(text);
  return at === undefined ? { form: "unreadable" } : { form: "http-date", at: toInstant(at) };
}

/** The relations of all links. What is between < and > is an address. */
function readLinks(text = ""): (typeof linkRelations)[number][] {
  if (text.length > maxHeaderLength) return [];
  const found = text
    .replace(/<[^<>]*>/g, "")
    .matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/gi)
    .flatMap(([, quoted, bare]) => (quoted ?? bare ?? "").toLowerCase().split(/\s+/));
  const relations = new Set<string>(found);
  return linkRelations.filter((relation) => relations.has(relation));
}

function readWarning(text = ""): number | undefined {
  if (text.length > maxHeaderLength) return undefined;
  const codes = [...text.matchAll(/(?:^|,)\s*([1-9]\d\d)(?=\s|,|$)/g)].map(([, code]) => Number(code));
  // 299, "miscellaneous persistent warning", is the code that APIs use for deprecations.
  return codes.includes(299) ? 299 : codes[0];
}

function readRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,20}$/.test(text)) return Math.min(Number(text), maxRetryAfterSeconds);
  const untilMs = parseHttpDate(text);
  if (untilMs === undefined) return undefined;
  return Math.min(Math.max(0, Math.ceil((untilMs - nowMs) / 1000)), maxRetryAfterSeconds);
}

// The values of the header are not documented. "not exceeded" must not match.
const exhaustedPattern =
  /^(?:(?:quota|limit|usage)[ _-]?)?(?:exhausted|exceeded|reached|over[ _-]?(?:limit|quota))$/i;

/** X-API-Usage-*, or the limit and the rest of RateLimit-* and X-RateLimit-*. */
function readUsage(header: (name: string) => string | undefined): Notices["usage"] {
  const structured = (name: string) =>
    new RegExp(`\\b${name}=(\\d{1,15})`).exec(header("ratelimit") ?? "")?.[1];
  const limit =
    readCount(header("x-api-usage-limit")) ??
    readCount(header("ratelimit-limit") ?? header("x-ratelimit-limit") ?? structured("limit"));
  const left = readCount(
    header("ratelimit-remaining") ?? header("x-ratelimit-remaining") ?? structured("remaining"),
  );
  const current =
    readCount(header("x-api-usage-current")) ??
    (limit !== undefined && left !== undefined && left <= limit ? limit - left : undefined);
  const usedUp = current !== undefined && limit !== undefined && limit > 0 && current >= limit;
  const exhausted = usedUp || left === 0 || exhaustedPattern.test(header("x-api-usage-status") ?? "");
  if (current === undefined && limit === undefined && !exhausted) return undefined;
  return { current, limit, exhausted };
}

function readCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

const isRedirect = (status: number) => [300, 301, 302, 303, 307, 308].includes(status);

/** Where a redirect leads. The URL itself is not stored: it may hold an id, a name or a key. */
function classifyTarget(location: string | undefined, requestUrl: URL): Notices["redirect"] {
  if (!location || location.length > maxHeaderLength) return undefined;
  const target = URL.parse(location, requestUrl.href);
  if (!target) return undefined;
  const parts = [...target.pathname.split("/"), ...target.hostname.split(".")];
  const isLogin = parts.some((part) => /^(?:log-?in|sign-?in|auth|sso|oauth2?)$/i.test(part));
  const version = parts.find((part) => /^v\d{1,3}$/i.test(part))?.toLowerCase();
  return {
    origin: target.origin === requestUrl.origin ? "same" : "other",
    leadsTo: version === api.version ? "v1" : version ? "other-version" : isLogin ? "login" : "elsewhere",
  };
}

// A message about deprecation in the body: beside the data, one level deep. Its words are not kept.
const messageNames =
  /^_?(?:message|messages|warning|warnings|notice|info|meta|deprecation|deprecated|sunset)$/i;
const messageWords =
  /deprecat|sunset|retire|discontinu|end[ -]of[ -]life|shut(?:ting)? ?down|will be removed/i;

export function hasDeprecationMessage(body: unknown): boolean {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return false;
  return Object.entries(body).some(([name, value]) => {
    if (!messageNames.test(name)) return false;
    if (value === true) return /^_?deprecated$/i.test(name);
    const texts = typeof value === "object" && value !== null ? Object.values(value).slice(0, 10) : [value];
    return texts.some((text) => typeof text === "string" && messageWords.test(text.slice(0, 500)));
  });
}

// A 200 without V1's data: the body of V2, a stub in which every score is 0, or an empty list.
export function detectFakeOk(endpoint: EndpointId, body: unknown, values: FieldValues): Notices["body"] {
  const container = containerOf(endpoint);
  const held = heldIn(endpoint, body);
  if (!isJsonObject(body) && !Array.isArray(held)) return undefined;
  const [firstRecord] = Array.isArray(held) ? held : [held];
  const { rootKeys, rootObjects, recordKeys } = successor;
  const hasRecordKeys =
    isJsonObject(firstRecord) &&
    recordKeys.length > 0 &&
    recordKeys.every((key) => Object.hasOwn(firstRecord, key));
  const hasRootKeys =
    isJsonObject(body) &&
    Object.keys(body).some(
      (key) => rootKeys.includes(key) || (rootObjects.includes(key) && isJsonObject(body[key])),
    );
  const isEnvelope = container !== "" && isJsonObject(body) && Object.hasOwn(body, container);
  if (hasRecordKeys || (!isEnvelope && hasRootKeys)) return "v2-shaped";
  if (hasOnlyZeroScores(endpoint, values)) return "stub-data";
  return isList(endpoint) && Array.isArray(held) && held.length === 0 ? "empty" : undefined;
}

/** Whether there are scores, and all of them are 0. */
function hasOnlyZeroScores(endpoint: EndpointId, values: FieldValues): boolean {
  const scores = endpoints[endpoint].values.map((path) => values(path));
  const isNotZero = (score: unknown) => Number.isFinite(score) && score !== 0;
  return !scores.some((ofField) => ofField.some(isNotZero)) && scores.some((ofField) => ofField.includes(0));
}
