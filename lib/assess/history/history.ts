// The check history: the only memory of the rules. Bounded, plain JSON, and a pure fold over the observations.

import { thresholds } from "../../config/thresholds.ts";
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { Observation } from "../../records/observation.ts";
import { isBad, isGood } from "../../records/outcome.ts";
import { dayMs, dayText, hourMs } from "../../time.ts";
import { anyPlace, type Check, hasSample, placeOf, toCheck } from "./check.ts";
import { forgetSelection } from "./queries.ts";
import type { EndpointHistory, Group, History, Tallies } from "./types.ts";

export const freshHistory = (): History => ({
  endpoints: {},
  transitions: [],
  snapshots: [],
  ages: [],
});

const freshEndpoint = (): EndpointHistory => ({
  checks: [],
  runs: {},
  tallies: { primary: {}, anonymous: {} },
  hours: [],
  places: {},
  baseline: [],
});

const maxBaseline = 60;
const maxPlaces = 60;

/** Mutates the history. Observations come in the order of their ticks. */
export function noteCheck(history: History, observation: Observation): void {
  const { endpoint } = observation;
  const own = history.endpoints[endpoint] ?? freshEndpoint();
  history.endpoints[endpoint] = own;
  const check = toCheck(observation, own.records);
  history.firstMs = Math.min(history.firstMs ?? check.atMs, check.atMs);
  history.lastMs = Math.max(history.lastMs ?? check.atMs, check.atMs);
  if (check.isPrimary) history.primary = check.variant;
  if (observation.tls) history.certificateMs = Date.parse(observation.tls.expiresAt);
  noteSecret(own, observation, check);
  const isAnonymous = check.variant === "anonymous" && !check.isPrimary;
  const group: Group | undefined = check.isPrimary ? "primary" : isAnonymous ? "anonymous" : undefined;
  if (check.variant === "anonymous" && isGood(check)) own.anonymousServedMs = check.atMs;
  confirmSample(history, endpoint, own, check, group);
  keepBaseline(own, check);
  own.checks.push(check);
  if (group && check.class !== "sample" && check.class !== "none") noteRun(history, endpoint, group, check);
  if (check.isPrimary) {
    noteHour(own, check);
    if (endpoints[endpoint].role === "list" && isGood(check)) noteSnapshot(history, observation, check);
  }
  if (check.isPrimary && isGood(check) && observation.records)
    own.records = Object.fromEntries(observation.records.map(({ id, at, values }) => [id, { at, values }]));
  prune(history, own, check.atMs);
  forgetSelection(own);
}

function noteSecret(own: EndpointHistory, { outcome, variant }: Observation, { atMs }: Check): void {
  if (outcome.kind === "no-secret") {
    const { sinceMs = atMs, count = 0 } = own.noSecret ?? {};
    own.noSecret = { sinceMs, lastMs: atMs, count: count + 1 };
  } else if (variant === "authenticated" || (own.noSecret && atMs - own.noSecret.lastMs > dayMs))
    delete own.noSecret;
}

/**
 * A 404 or a score of 0 may be the sample's own: it counts when a second sample shows the same, or when the list,
 * which has no sample, does. Then the checks before it count too.
 */
function confirmSample(
  history: History,
  endpoint: EndpointId,
  own: EndpointHistory,
  check: Check,
  group: Group | undefined,
): void {
  const isDoubtful = hasSample(endpoint) && (check.class === "not-found" || check.class === "stub");
  if (!group || !isDoubtful) {
    if (group && !hasSample(endpoint) && isBad(check)) confirmOthers(history, check);
    return;
  }
  const unconfirmed = check.class;
  const waiting = waitingChecks(own, check);
  const isSecond = waiting.some(
    ({ sample }) => sample !== undefined && check.sample !== undefined && sample !== check.sample,
  );
  const isKnown = own.runs[group]?.state === "bad" && lastOf(own, group)?.class === unconfirmed;
  if (isKnown || isSecond || listShows(history, unconfirmed)) {
    for (const one of waiting) confirm(history, endpoint, one);
    return;
  }
  check.class = "sample";
  check.unconfirmed = unconfirmed;
}

const lastOf = (own: EndpointHistory, group: Group): Check | undefined =>
  own.checks.findLast(
    (check) => (group === "primary") === check.isPrimary && (isGood(check) || isBad(check)),
  );

/** Unconfirmed checks of the same class since the last good one, of the same group. */
function waitingChecks(own: EndpointHistory, { isPrimary, atMs, class: name }: Check): Check[] {
  const since = own.checks.findLastIndex((one) => one.isPrimary === isPrimary && (isGood(one) || isBad(one)));
  return own.checks
    .slice(since + 1)
    .filter(
      (one) =>
        one.isPrimary === isPrimary &&
        one.unconfirmed === name &&
        atMs - one.atMs <= thresholds.samplesAgreeMs,
    );
}

const listShows = (history: History, name: Check["class"]) =>
  endpointIds.some((endpoint) => {
    const own = history.endpoints[endpoint];
    return own !== undefined && !hasSample(endpoint) && lastOf(own, "primary")?.class === name;
  });

function confirmOthers(history: History, check: Check): void {
  for (const endpoint of endpointIds) {
    const own = history.endpoints[endpoint];
    if (!own || !hasSample(endpoint)) continue;
    for (const one of waitingChecks(own, check)) confirm(history, endpoint, one);
  }
}

function confirm(history: History, endpoint: EndpointId, check: Check): void {
  if (!check.unconfirmed) return;
  check.class = check.unconfirmed;
  delete check.unconfirmed;
  forgetSelection(history.endpoints[endpoint]!);
  noteRun(history, endpoint, check.isPrimary ? "primary" : "anonymous", check);
}

function noteRun(history: History, endpoint: EndpointId, group: Group, check: Check): void {
  const own = history.endpoints[endpoint]!;
  const state = isBad(check) ? "bad" : "good";
  const before = own.runs[group];
  if (before?.state === state) {
    before.lastMs = check.atMs;
    before.count++;
  } else {
    own.runs[group] = {
      state,
      sinceMs: check.atMs,
      lastMs: check.atMs,
      count: 1,
      ...(before && { beforeMs: before.lastMs }),
    };
    const isOutage = state === "bad" && group === "primary";
    if (before || isOutage)
      history.transitions.push({
        endpoint,
        group,
        to: state,
        atMs: check.atMs,
        afterMs: before?.lastMs ?? check.atMs,
        count: before?.count ?? 0,
        label: check.label,
        ...(isOutage && { tallies: copyTallies(history) }),
      });
  }
  const tally = own.tallies[group];
  tally[check.label] = (tally[check.label] ?? 0) + 1;
}

const copyTallies = (history: History): Tallies =>
  Object.fromEntries(
    Object.entries(history.endpoints).map(([endpoint, { tallies }]) => [endpoint, structuredClone(tallies)]),
  );

/** What was different from the start is recorded once; a place that was seen late has its own start. */
function keepBaseline(own: EndpointHistory, check: Check): void {
  if (!isGood(check)) return;
  const { places = [] } = check;
  for (const { id, path } of check.findings ?? []) {
    const isYoung = (own.places[placeOf(path)] ?? own.places[anyPlace] ?? 0) < thresholds.baselineChecks;
    if (isYoung && !own.baseline.includes(id) && own.baseline.length < maxBaseline) own.baseline.push(id);
  }
  if (check.findings) check.findings = check.findings.filter(({ id }) => !own.baseline.includes(id));
  if (check.findings?.length === 0) delete check.findings;
  for (const place of places) {
    const seen = own.places[place] ?? 0;
    const isRoom = place in own.places || Object.keys(own.places).length < maxPlaces;
    if (isRoom && seen < thresholds.baselineChecks) own.places[place] = seen + 1;
  }
}

function noteHour(own: EndpointHistory, check: Check): void {
  const hour = Math.floor(check.atMs / hourMs);
  let row = own.hours.at(-1);
  if (!row || row.hour < hour) {
    row = { hour, checks: 0 };
    own.hours.push(row);
  }
  row.checks++;
  if (isBad(check)) row.failures = { ...row.failures, [check.label]: (row.failures?.[check.label] ?? 0) + 1 };
  for (const { id } of check.findings ?? [])
    row.findings = { ...row.findings, [id]: (row.findings?.[id] ?? 0) + 1 };
  if (!isGood(check)) return;
  // The largest of the hour: a list that shrinks within an hour shrinks below what it was.
  if (check.total !== undefined) row.total = Math.max(row.total ?? 0, check.total);
  if (check.newestMs !== undefined) row.newestMs = Math.max(row.newestMs ?? check.newestMs, check.newestMs);
  if (check.moved) row.moved = (row.moved ?? 0) + check.moved;
  if (check.changed) row.changed = (row.changed ?? 0) + check.changed;
  row.latencyMs = Math.round(Math.min(row.latencyMs ?? check.latencyMs, check.latencyMs));
}

/** One a day: the dates of the records, and the age that nine of ten of them do not exceed. */
function noteSnapshot(history: History, { records }: Observation, { atMs }: Check): void {
  const day = dayText(atMs);
  if (!records || history.snapshots.at(-1)?.day === day) return;
  history.snapshots.push({ day, dates: Object.fromEntries(records.map(({ id, at }) => [id, at])) });
  if (history.snapshots.length > thresholds.snapshotDays) history.snapshots.shift();
  const ages = records.flatMap(({ at }) => (at === null ? [] : [Math.max(0, atMs - Date.parse(at))]));
  if (ages.length === 0) return;
  history.ages.push({ day, upperMs: ages.toSorted((a, b) => a - b)[Math.floor(0.9 * (ages.length - 1))]! });
  if (history.ages.length > thresholds.rollUpsKeptMs / dayMs) history.ages.shift();
}

function prune(history: History, own: EndpointHistory, nowMs: number): void {
  const oldestCheckMs = nowMs - thresholds.checksKeptMs;
  // Rare variants are checked once a day: three in a row need longer.
  const oldestRareMs = nowMs - thresholds.snapshotDays * dayMs;
  own.checks = own.checks.filter(
    ({ atMs, variant, isPrimary }) =>
      atMs >= oldestCheckMs || (atMs >= oldestRareMs && !isPrimary && variant !== "anonymous"),
  );
  const oldestMs = nowMs - thresholds.rollUpsKeptMs;
  while (own.hours[0] && own.hours[0].hour * hourMs < oldestMs) own.hours.shift();
  const { transitions } = history;
  while (transitions[0] && (transitions.length > thresholds.maxTransitions || transitions[0].atMs < oldestMs))
    transitions.shift();
}
