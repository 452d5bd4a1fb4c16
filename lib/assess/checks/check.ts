// One observation as the check history keeps it: what the response was, in one class, and what rules compare.
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { gapOf } from "../../contract/gaps.ts";
import type { CheckReason, Finding, Observation, Variant } from "../../records/observation.ts";
import {
  classify,
  labelOf,
  type NotSentReason,
  notSentReasonOf,
  type ResponseClass,
} from "../../records/outcome.ts";
import type { EndpointHistory, History, RecordDates } from "./types.ts";

type CheckNotices = {
  sunsetMs?: number | undefined;
  sunsetText?: string | undefined;
  /** `Deprecation`, `Link rel=sunset`, `Warning 299`, `message in the body`. */
  deprecation?: string[] | undefined;
};

export type Check = {
  atMs: number;
  endpoint: EndpointId;
  variant: Variant;
  reason: CheckReason;
  isPrimary: boolean;
  class: ResponseClass;
  /** What it got: `ok`, `401`, `503`, `timeout`, `HTML`. */
  label: string;
  latencyMs: number;
  /** It was due and not sent. */
  notSent?: NotSentReason | undefined;
  /** Keyed hash of the sample that was requested. */
  sample?: string | undefined;
  /** A status other than 200 came with a web page. */
  isWebPage?: boolean | undefined;
  redirect?: NonNullable<Observation["notices"]["redirect"]>["leadsTo"] | undefined;
  certificateMs?: number | undefined;
  notices?: CheckNotices | undefined;
  usage?: { current?: number | undefined; limit?: number | undefined } | undefined;
  /** Breaking findings, once it is folded only those that are a change, and the objects that were there to be looked at. */
  findings?: Pick<Finding, "id" | "path" | "kind" | "expected" | "observed" | "count" | "of">[] | undefined;
  /** There were more findings than an observation holds. */
  isCut?: boolean | undefined;
  places?: string[] | undefined;
  total?: number | undefined;
  records?: number | undefined;
  newestMs?: number | undefined;
  medianAgeMs?: number | undefined;
  /** Records that are dated in the future. */
  future?: number | undefined;
  /** The records of the response by their keyed hash. */
  rows?: RecordDates | undefined;
  /** Records that were in the previous check too and whose date moved, and those of them whose values changed. */
  moved?: number | undefined;
  changed?: number | undefined;
  /** Records with the most frequent overall score, of those that have one. */
  equalScores?: { same: number; of: number } | undefined;
  medianScore?: number | undefined;
  /** The same record twice in the response, or also on the first page. */
  duplicates?: number | undefined;
  /** Fields that were null in some of the records. */
  nulls?: { path: string; nulls: number; of: number }[] | undefined;
  /** Another record came than the one that was asked for. */
  isOtherRecord?: boolean | undefined;
};

/** A 200 that does not contain V1's data. */
export const isLie = ({ class: name }: Pick<Check, "class">) =>
  name === "v2-shape" ||
  name === "error-envelope" ||
  name === "not-json" ||
  name === "empty" ||
  name === "stub";
function readNotices({ notices }: Observation): CheckNotices | undefined {
  const { sunset, sunsetText, deprecation, links = [], warning, message } = notices;
  const deprecations = [
    ...(deprecation ? [deprecation.at ? `Deprecation ${deprecation.at.slice(0, 10)}` : "Deprecation"] : []),
    ...links.filter((rel) => rel !== "latest-version").map((rel) => `Link rel=${rel}`),
    ...(warning === 299 ? ["Warning 299"] : []),
    ...(message ? ["a message in the body"] : []),
  ];
  if (!sunset && sunsetText === undefined && deprecations.length === 0) return undefined;
  return {
    sunsetMs: sunset ? Date.parse(sunset) : undefined,
    sunsetText,
    deprecation: deprecations.length > 0 ? deprecations : undefined,
  };
}

/** Any place: the observation does not say which objects it held. */
export const anyPlace = "*";

/** Its facts also say which objects a response held. */
const nullGap = gapOf("nulls");

/** The objects that the response held: the evidence has a row for each, nulls or not. */
const objectsOf = ({ evidence }: Observation): string[] =>
  evidence.filter(({ gap, of }) => gap === nullGap && of > 0).map(({ subject }) => subject);

export function placesOf(observation: Observation): string[] {
  const objects = objectsOf(observation);
  return objects.length > 0 ? ["", ...objects] : ["", anyPlace];
}

export const hadPlace = ({ places = [] }: Check, place: string) =>
  places.includes(place) || places.includes(anyPlace);

/** The object in which a finding's field stands; the body itself is "". */
export const placeOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf(".")));

/** `own` and `history` are as they were before this check. */
export function toCheck(observation: Observation, own: EndpointHistory, history: History): Check {
  const { staleness, notices, endpoint, variant, reason, isPrimary, sample } = observation;
  const name = classifyBeside(observation, own);
  const check: Check = {
    atMs: Date.parse(observation.at),
    endpoint,
    variant,
    reason,
    isPrimary,
    class: name,
    label: labelOf(observation),
    latencyMs: observation.timings.totalMs,
    notSent: notSentReasonOf(observation),
    sample,
    isWebPage: (observation.outcome.kind === "status" && observation.outcome.detail === "html") || undefined,
    redirect: notices.redirect?.leadsTo,
    certificateMs: observation.tls ? Date.parse(observation.tls.expiresAt) : undefined,
    notices: readNotices(observation),
    usage: notices.usage && { current: notices.usage.current, limit: notices.usage.limit },
    total: name === "empty" ? staleness?.total : undefined,
  };
  if (name === "ok") readContent(check, observation, own, history);
  return check;
}

/** A score of 0 may be the sample's own: only a sample that was served with data before can be a stub. */
function classifyBeside(observation: Observation, { served }: EndpointHistory): ResponseClass {
  const name = classify(observation);
  const { sample, endpoint } = observation;
  const isOwn = name === "stub" && hasSample(endpoint) && sample !== undefined && !served.includes(sample);
  return isOwn ? "none" : name;
}

/** What a response that was served says of V1's data. */
function readContent(check: Check, observation: Observation, own: EndpointHistory, history: History): void {
  const { staleness, records, evidence } = observation;
  check.findings = observation.findings
    .filter(({ level }) => level === "breaking")
    .map(({ level: _, ...finding }) => finding);
  check.isCut = observation.findingsOmitted > 0 || undefined;
  check.places = placesOf(observation);
  check.nulls = evidence.flatMap(({ gap, subject, of, answers }) =>
    gap === nullGap && answers.null ? [{ path: subject, nulls: answers.null, of }] : [],
  );
  if (staleness) readFreshness(check, staleness);
  check.equalScores = observation.equalScores;
  check.medianScore = observation.medianScore;
  check.isOtherRecord = observation.isOtherRecord;
  if (!records) return;
  check.rows = Object.fromEntries(records.map(({ id, at, values }) => [id, { at, values }]));
  const before = own.records?.dates ?? {};
  const known = records.filter(({ id }) => before[id]);
  // A date that can no longer be read has not moved.
  const moved = known.filter(({ id, at }) => before[id]!.at !== at && at !== null && before[id]!.at !== null);
  check.moved = moved.length;
  check.changed = moved.filter(({ id, values }) => before[id]!.values !== values).length;
  check.duplicates = countDuplicates(check, observation, history);
}

/** A page is compared with the first one only where both were requested at about the same time. */
const samePagesMs = 60_000;

function countDuplicates(check: Check, { records = [] }: Observation, history: History): number | undefined {
  if (endpoints[check.endpoint].role !== "list") return undefined;
  if (check.variant !== "second-page") return records.length - new Set(records.map(({ id }) => id)).size;
  const first = history.endpoints[check.endpoint]?.records;
  if (!first || Math.abs(check.atMs - first.atMs) > samePagesMs) return undefined;
  return records.filter(({ id }) => first.dates[id]).length;
}

/** Ages of muted clocks, and instants that no calendar has, are not known. */
function readFreshness(check: Check, staleness: NonNullable<Observation["staleness"]>): void {
  check.records = staleness.records;
  check.total = staleness.total;
  check.future = staleness.muted ? undefined : staleness.future;
  if (staleness.muted || !staleness.ages || staleness.dated === 0) return;
  const newestMs = Math.round(check.atMs - staleness.ages.newest * 1_000);
  if (Number.isSafeInteger(newestMs) && Math.abs(newestMs) < 8e15) check.newestMs = newestMs;
  check.medianAgeMs = staleness.ages.p50 * 1_000;
}

export const hasSample = (endpoint: EndpointId) => endpoints[endpoint].role !== "list";
