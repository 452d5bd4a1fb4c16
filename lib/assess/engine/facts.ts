// What is said of an incident: the facts of its messages, counted over exactly the endpoints and the window that they name.
// Nothing here decides anything.
import type { EndpointId } from "../../contract/endpoints.ts";
import type { Facts, Incident, RuleId } from "../../records/incident.ts";
import { dayMs, hourMs, instantText } from "../../time.ts";
import type { AnyRule } from "../rules/rule.ts";
import {
  type Cause,
  countOf,
  type EngineState,
  goodAgainMsOf,
  isWide,
  type Judging,
  lastBadMsOf,
  type OpenIncident,
  type Pattern,
  ruleOf,
  seriesAt,
  throughOf,
  viewOf,
  wholeOnsetOf,
} from "./engine-state.ts";
import { isPartial } from "./partial.ts";
import { listEvidence, rowsOf } from "./rows.ts";
import { addCounts, type Counted, countBetween } from "./tallies.ts";

const instantOrNull = (ms: number | undefined) => (ms === undefined ? null : instantText(ms));

/** The last bad check of a share, of the kinds that it counts, also where another incident was open, which counts it. */
const lastCountedMsOf = (
  state: EngineState,
  { row, parts }: OpenIncident,
  { endpoints: names, isOfAllChecks }: Pick<Facts, "endpoints" | "isOfAllChecks">,
): number =>
  Math.max(
    lastBadMsOf({ parts }, names),
    ...names.flatMap((endpoint) => {
      const { window = [], marks } = seriesAt(state, row, endpoint);
      if (isOfAllChecks) return -Math.min(0, ...marks);
      return window.flatMap(({ bad }) => bad?.atMs ?? []);
    }),
  );

/** What a message speaks of: its endpoints from their first bad check to their last one. */
type Shown = {
  firstMs: number;
  lastMs: number;
  goodBeforeMs?: number | undefined;
  goodAfterMs?: number | undefined;
  counted: Counted;
};

const lastGoodBefore = (all: readonly (number | undefined)[], firstMs: number): number | undefined =>
  all.flatMap((ms) => (ms !== undefined && ms < firstMs ? ms : [])).sort((a, b) => b - a)[0];

/** Each endpoint by its own checks; of several causes those since the last one, where all endpoints show it. */
function shownOf(judging: Judging, incident: OpenIncident, names: EndpointId[], isOver: boolean): Shown {
  const rule = ruleOf(judging, incident.row);
  const { onset, counted } = incident;
  if (counted) {
    const lastMs = rule?.opens.share
      ? lastCountedMsOf(judging.state, incident, { ...incident, endpoints: names })
      : lastBadMsOf(incident, names);
    return { firstMs: onset.atMs, lastMs, counted };
  }
  const evidence = listEvidence(judging, incident, names);
  const lastMs = Math.max(...evidence.map((one) => one.lastMs));
  const cause = isOver ? undefined : findLastCause(judging, incident);
  const firstMs = cause?.onset.atMs ?? Math.min(...evidence.map((one) => one.firstMs));
  const before = cause
    ? names.map((name) => cause.onset.before[name]?.goodMs)
    : evidence.map(({ goodBeforeMs }) => goodBeforeMs);
  // What grows until it passes a limit has no good check that shows when it began.
  const isSharp = rule !== undefined && !rule.isGradual;
  return {
    firstMs,
    lastMs,
    goodBeforeMs: isSharp ? lastGoodBefore(before, firstMs) : undefined,
    goodAfterMs: isSharp && isOver ? goodAgainMsOf(judging.state, incident, names) : undefined,
    counted: cause ? countOf(incident, names, cause.onset) : addCounts(evidence.map((one) => one.counted)),
  };
}

/** The numbers that every incident has, and those of its row. Every instant is that of a check. */
export function factsOf(judging: Judging, incident: OpenIncident, isOver: boolean): Facts {
  const { state } = judging;
  const rule = ruleOf(judging, incident.row);
  if (isOver && incident.told && rule?.opens.share) return endOfShare(state, incident, incident.told.facts);
  const names = isOver ? incident.allEndpoints : incident.endpoints;
  const { firstMs, lastMs, goodBeforeMs, goodAfterMs, counted } = shownOf(judging, incident, names, isOver);
  const facts: Facts = {
    rule: incident.rule,
    scope: scopeOf(names),
    endpoints: names,
    firstBadAt: instantText(firstMs),
    lastGoodBeforeAt: instantOrNull(goodBeforeMs),
    lastBadAt: instantText(lastMs),
    firstGoodAfterAt: instantOrNull(goodAfterMs),
    bad: counted.bad,
    total: counted.total,
    windowSeconds: Math.round((incident.overMs ?? lastMs - firstMs) / 1_000),
    rows: rowsOf(judging, incident, isOver),
    ...rule?.facts?.(viewOf(judging, { ...incident, endpoints: names }, { firstMs, counted })),
    hasCovered: incident.hasCovered,
    isOfAllChecks: incident.isOfAllChecks,
    // Where all of its endpoints are bad without a break, it does not come and go now.
    comesAndGoes: incident.lasting ? undefined : incident.comesAndGoes,
    ...(incident.pattern && patternFacts(incident.pattern)),
  };
  return {
    ...facts,
    ...movedDates(facts, incident),
    expectedUntil: incident.windowEndMs === undefined ? undefined : instantText(incident.windowEndMs),
    ...(rule?.shows && causeFacts(facts, incident, counted, rule.shows)),
  };
}

const scopeOf = (names: readonly EndpointId[]): Facts["scope"] =>
  isWide({ endpoints: names }) ? "api" : "endpoint";

/** The end of a share speaks of the numbers that were told; only the last bad check is newer. */
function endOfShare(state: EngineState, incident: OpenIncident, told: Facts): Facts {
  const { row, allEndpoints } = incident;
  const lastMs = lastCountedMsOf(state, incident, { ...told, endpoints: allEndpoints });
  const hasUnmarked = allEndpoints.some((endpoint) => {
    const { latest = 0, window = 0 } = seriesAt(state, row, endpoint).unmarkedMs ?? {};
    return (told.isOfAllChecks ? latest : window) > lastMs;
  });
  return {
    ...told,
    rows: undefined,
    scope: scopeOf(allEndpoints),
    endpoints: allEndpoints,
    lastBadAt: instantText(lastMs),
    hasCovered: told.hasCovered ?? incident.hasCovered ?? (hasUnmarked || undefined),
  };
}

type Shows = NonNullable<AnyRule["shows"]>;

/** A cause is carried by nine tenths of the bad checks: of fewer than ten, by all of them. */
function isCarried(shows: Shows, rule: RuleId, { bad, kinds }: Counted): boolean {
  const carrying = Object.entries(kinds).filter(([kind]) => shows(rule, kind));
  const count = carrying.reduce((sum, [, times]) => sum + times, 0);
  return bad > 0 && !isPartial({ bad: count, total: bad });
}

/** The causes one after the other. That V1 counts as retired is no cause but a conclusion. */
const causesOf = ({ causes, endpoints: names, allEndpoints }: OpenIncident): Cause[] =>
  causes
    .filter(({ isOfMore }) => !isOfMore || names.length === allEndpoints.length)
    .filter(({ rule }, index) => index === 0 || rule !== "retired");

/** Of several causes the last one, where all endpoints show it since then: what is said now is said of the checks since. */
function findLastCause(judging: Judging, incident: OpenIncident): Cause | undefined {
  const { lasting, endpoints: names, row, rule } = incident;
  const shows = ruleOf(judging, row)?.shows;
  const [last, ...before] = causesOf(incident).reverse();
  if (!shows || !last || before.length === 0 || last.onset.atMs < (lasting?.atMs ?? 0)) return undefined;
  const counted = countOf(incident, names, last.onset);
  const isEverywhere = names.every((name) => countOf(incident, [name], last.onset).bad > 0);
  return isEverywhere && !isPartial(counted) && isCarried(shows, rule, counted) ? last : undefined;
}

/** The causes that checks carry, and whether one of them is the cause of all that is counted. */
function causeFacts(
  { rule: named, endpoints: names, firstBadAt }: Facts,
  incident: OpenIncident,
  counted: Counted,
  shows: Shows,
): Pick<Facts, "isMixed" | "causes"> {
  const causes = causesOf(incident);
  const through = throughOf(incident, names);
  const areCarried = causes.map(({ rule, onset: { before } }, index) =>
    isCarried(shows, rule, countBetween(before, causes[index + 1]?.onset.before ?? through, names)),
  );
  const shown = causes.slice(areCarried.lastIndexOf(false) + 1).slice(-6);
  const isWhole = shown.length === causes.length;
  const isLastOfAll = shown.at(-1)?.onset.atMs === Date.parse(firstBadAt);
  return {
    isMixed: isCarried(shows, named, counted) ? undefined : true,
    causes:
      causes.length > 1 && (isWhole || isLastOfAll)
        ? shown.map(({ rule, onset: { atMs } }) => ({ rule, from: instantText(atMs) }))
        : undefined,
  };
}

/**
 * The endpoints whose date is another one than people were told, and that date. Two checks of the endpoints that moved from one day
 * to the same other day have to have shown both days.
 */
function movedDates(
  { endpoints: names, dates = {} }: Facts,
  { parts, told }: OpenIncident,
): Pick<Facts, "previousDates" | "previousDate"> {
  // What was always as far ahead was no date: the first release stored it as one.
  const toldDates = told?.facts.aheadDays === undefined ? told?.facts.dates : undefined;
  const moves = names.flatMap((endpoint) => {
    const [from, to] = [toldDates?.[endpoint], dates[endpoint]];
    return from && to && isOtherDate(from, to)
      ? [{ endpoint, from, days: [from.slice(0, 10), to.slice(0, 10)] }]
      : [];
  });
  const shown = moves.filter(({ days }) => {
    const alike = moves.filter((other) => other.days.join() === days.join());
    const checksOf = (day: string) =>
      alike.reduce((sum, { endpoint }) => sum + (parts[endpoint]?.endDays?.[day] ?? 0), 0);
    return days.every((day) => checksOf(day) >= 2);
  });
  if (shown.length === 0) return {};
  return {
    previousDates: Object.fromEntries(shown.map(({ endpoint, from }) => [endpoint, from])),
    previousDate: shown.map(({ from }) => from).sort()[0],
  };
}

/** An end moves by days; dates within an hour are one date that is computed anew for each response. */
const isOtherDate = (one: string, other: string) =>
  one.slice(0, 10) !== other.slice(0, 10) && Math.abs(Date.parse(one) - Date.parse(other)) > hourMs;

/** The windows of a pattern as they were measured, and the next one by its own days. */
function patternFacts(pattern: Pattern): Partial<Facts> {
  const { windows, nextDay } = pattern;
  const last = windows.at(-1)!;
  const stepMs = (nextDay - last.day) * dayMs;
  return {
    windows: windows.slice(-12).map((window) => ({
      after: window.fromMs < window.firstBadMs ? instantText(window.fromMs) : null,
      firstBad: instantText(window.firstBadMs),
      lastBad: instantText(window.lastBadMs),
      firstGood: instantText(window.toMs),
    })),
    next: {
      after: instantText(last.fromMs + stepMs),
      from: instantText(last.firstBadMs + stepMs),
      until: instantText(last.toMs + stepMs),
    },
    pattern: describePattern(pattern),
  };
}

/** Two weekends without an outage between those of workdays. */
const provenWorkdays = 14;

function describePattern({ windows, isOnWorkdays, everyDays }: Pattern): string {
  const isProven = windows.at(-1)!.day - windows[0]!.day >= provenWorkdays;
  if (isOnWorkdays) return isProven ? "on workdays" : "at the same hour, so far on workdays";
  return everyDays === 1 ? "every day" : `every ${everyDays} days`;
}

/** As people see it. */
export function toRecord(judging: Judging, incident: OpenIncident, resolvedMs?: number): Incident {
  const isOver = resolvedMs !== undefined;
  const facts = factsOf(judging, incident, isOver);
  // What ends is what people were told.
  const severity = (isOver ? incident.told?.severity : undefined) ?? incident.severity;
  const record: Incident = {
    schema: "v1watch/incident/3",
    id: incident.id,
    rule: facts.rule,
    scope: facts.scope,
    endpoints: facts.endpoints,
    severity: severity === "digest" ? "info" : severity,
    state: isOver ? "resolved" : "firing",
    since: instantText((isOver ? wholeOnsetOf(incident) : incident.onset).atMs),
    openedAt: instantText(incident.openedMs),
    resolvedAt: isOver ? instantText(resolvedMs) : undefined,
    facts,
    key: incident.key.slice(0, 300),
    supersededBy: undefined,
    sent: incident.sent,
  };
  return record;
}
