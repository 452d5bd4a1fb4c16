// One observation as the check history keeps it: what the response was, in one class, and what rules compare.
import { type EndpointId, endpoints } from "../../contract/endpoints.ts";
import type { CheckReason, Finding, Observation, Variant } from "../../records/observation.ts";
import { classify, labelOf, type ResponseClass } from "../../records/outcome.ts";

export type CheckNotices = {
  sunsetMs?: number;
  sunsetText?: string;
  /** `Deprecation`, `Link rel=sunset`, `Warning 299`, `message in the body`. */
  deprecation?: string[];
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
  /** The class that it has if another sample shows the same. */
  unconfirmed?: ResponseClass;
  latencyMs: number;
  /** Breaking findings beyond the baseline, and the objects that were there to be looked at. */
  findings?: Pick<Finding, "id" | "path" | "kind" | "expected" | "observed" | "count" | "of">[];
  /** There were more findings than an observation holds. */
  isCut?: true;
  places?: string[];
  notices?: CheckNotices;
  usage?: { current?: number; limit?: number };
  total?: number;
  records?: number;
  newestMs?: number;
  medianAgeMs?: number;
  /** Records whose date moved since the previous check, and those of them whose scores changed. */
  moved?: number;
  changed?: number;
  /** Records with the most frequent overall score, of those that have one. */
  equalScores?: { same: number; of: number };
  sample?: string;
};

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
    ...(sunset && { sunsetMs: Date.parse(sunset) }),
    ...(sunsetText !== undefined && { sunsetText }),
    ...(deprecations.length > 0 && { deprecation: deprecations }),
  };
}

/** Any place: the observation does not say which objects it held. */
export const anyPlace = "*";

/** The objects that the response held: the evidence has a row for each, nulls or not. */
export const objectsOf = ({ evidence }: Observation): string[] =>
  evidence.filter(({ gap, of }) => gap === "2.6-null" && of > 0).map(({ subject }) => subject);

export function placesOf(observation: Observation): string[] {
  const objects = objectsOf(observation);
  return objects.length > 0 ? ["", ...objects] : ["", anyPlace];
}

export const hadPlace = ({ places = [] }: Check, place: string) =>
  places.includes(place) || places.includes(anyPlace);

/** The object in which a finding's field stands; the body itself is "". */
export const placeOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf(".")));

export type RecordDates = Record<string, { at: string | null; values: string }>;

/** `before`: the records of the previous check of this endpoint, by their keyed hash. */
export function toCheck(observation: Observation, before: RecordDates | undefined): Check {
  const { staleness, records, notices, endpoint, variant, reason, isPrimary, sample } = observation;
  const name = classify(observation);
  const atMs = Date.parse(observation.at);
  const check: Check = {
    atMs,
    endpoint,
    variant,
    reason,
    isPrimary,
    class: name,
    label: labelOf(observation),
    latencyMs: observation.timings.totalMs,
    ...(sample !== undefined && { sample }),
  };
  const said = readNotices(observation);
  if (said) check.notices = said;
  if (notices.usage) {
    const { current, limit } = notices.usage;
    check.usage = { ...(current !== undefined && { current }), ...(limit !== undefined && { limit }) };
  }
  if (name === "empty" && staleness?.total !== undefined) check.total = staleness.total;
  if (name !== "ok") return check;
  const breaking = observation.findings.filter(({ level }) => level === "breaking");
  if (breaking.length > 0) check.findings = breaking.map(({ level: _, ...finding }) => finding);
  if (observation.findingsOmitted > 0) check.isCut = true;
  check.places = placesOf(observation);
  if (staleness) readFreshness(check, staleness);
  if (observation.equalScores) check.equalScores = observation.equalScores;
  if (records && before) {
    const known = records.filter(({ id }) => before[id]);
    // A date that can no longer be read has not moved.
    const moved = known.filter(
      ({ id, at }) => before[id]!.at !== at && at !== null && before[id]!.at !== null,
    );
    check.moved = moved.length;
    check.changed = moved.filter(({ id, values }) => before[id]!.values !== values).length;
  }
  return check;
}

/** Ages of muted clocks, and instants that no calendar has, are not known. */
function readFreshness(check: Check, staleness: NonNullable<Observation["staleness"]>): void {
  check.records = staleness.records;
  if (staleness.total !== undefined) check.total = staleness.total;
  if (staleness.muted || !staleness.ages || staleness.dated === 0) return;
  const newestMs = Math.round(check.atMs - staleness.ages.newest * 1_000);
  if (Number.isSafeInteger(newestMs) && Math.abs(newestMs) < 8e15) check.newestMs = newestMs;
  check.medianAgeMs = staleness.ages.p50 * 1_000;
}

export const hasSample = (endpoint: EndpointId) => endpoints[endpoint].role !== "list";
