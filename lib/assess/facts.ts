// What is said of an incident: the facts of its messages, counted over exactly the endpoints and the window that they name.
// Nothing here decides anything.
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { EndpointSpan, Facts, Incident, RuleId } from "../records/incident.ts";
import { dayMs, hourMs } from "../time.ts";
import {
  type Cause,
  countOf,
  countOwn,
  type EngineState,
  goodAfterMsOf,
  goodAgainMsOf,
  instantText,
  isWide,
  type Judging,
  lastBadMsOf,
  latestOfPart,
  type OpenIncident,
  onsetOfPart,
  type Pattern,
  partsOf,
  ruleOf,
  seriesAt,
  viewOf,
  wholeOnsetOf,
} from "./engine-state.ts";
import { isPartial } from "./partial.ts";
import type { AnyRule } from "./rules/rule.ts";
import { groupSpans, type Span } from "./spans.ts";
import { type Counted, countBetween, goodBeforeOf, latest, type Onset, withEarlierBad } from "./tallies.ts";

const instantOrNull = (ms: number | undefined) => (ms === undefined ? null : instantText(ms));

/** How long each of these endpoints was part of it. */
const spansOf = (state: EngineState, { row, parts }: OpenIncident, names: readonly EndpointId[]): Span[] =>
  names.flatMap((endpoint) => {
    const part = parts[endpoint];
    if (!part) return [];
    return {
      endpoints: [endpoint],
      onset: onsetOfPart(part),
      latest: latestOfPart(part),
      goodBeforeMs: part.before[endpoint]?.goodMs,
      goodAfterMs: goodAfterMsOf(state, row, endpoint, part.lastMs),
    };
  });

const countSpan = ({ endpoints: names, onset, latest: last }: Span): Counted =>
  countBetween(onset.before, last.through, names);

/**
 * Where one window does not describe all endpoints. At the end: no one length fits them all. Before it: they became bad one after
 * the other, and some were good while others were not.
 */
function findSpans(judging: Judging, incident: OpenIncident, onset: Onset, isOver: boolean): Span[] {
  const { state } = judging;
  if (isOver) {
    const groups = groupSpans(spansOf(state, incident, incident.allEndpoints));
    return groups.length > 1 ? groups : [];
  }
  const { endpoints: names } = incident;
  const own = countOwn(incident, names, onset);
  const all = countOf(incident, names, onset);
  const areAfter = partsOf(incident, names).every(({ firstMs }) => firstMs >= onset.atMs);
  return areAfter && own.bad === all.bad && isPartial(all) && !isPartial(own)
    ? spansOf(state, incident, names)
    : [];
}

/** The endpoints that were bad long before the others. */
function findEarlier({ endpoints: names, parts }: OpenIncident, { atMs }: Onset): Facts["earlier"] {
  const earlier: NonNullable<Facts["earlier"]> = {};
  for (const name of names) {
    const part = parts[name];
    if (!part || part.firstMs >= atMs) continue;
    const lastGoodBeforeAt = instantOrNull(part.before[name]?.goodMs);
    earlier[name] = { firstBadAt: instantText(part.firstMs), lastGoodBeforeAt };
  }
  return Object.keys(earlier).length > 0 ? earlier : undefined;
}

/** Of what lasts, the check since which all of its endpoints are bad without a break. */
function findUnbroken({ state }: Judging, incident: OpenIncident): Onset | undefined {
  const { lasting, row, endpoints: names } = incident;
  const runs = names.flatMap((endpoint) => seriesAt(state, row, endpoint).bad ?? []);
  if (!lasting || runs.length < names.length) return undefined;
  const { sinceMs: atMs, before } = runs.toSorted((a, b) => b.sinceMs - a.sinceMs)[0]!;
  const areBad = names.every((name) => countOf(incident, [name], { atMs, before }).bad > 0);
  return areBad ? { atMs, before } : undefined;
}

const toEndpointSpan = (span: Span): EndpointSpan => {
  const { bad, total } = countSpan(span);
  return {
    endpoints: span.endpoints,
    firstBadAt: instantText(span.onset.atMs),
    lastGoodBeforeAt: instantOrNull(span.goodBeforeMs),
    lastBadAt: instantText(span.latest.atMs),
    firstGoodAfterAt: instantOrNull(span.goodAfterMs),
    bad,
    total,
  };
};

/** The last bad check of a share, also where another incident was open, which counts it. */
const lastCountedMsOf = (state: EngineState, { row, allEndpoints, parts }: OpenIncident): number =>
  Math.max(
    lastBadMsOf({ parts }, allEndpoints),
    ...allEndpoints.flatMap((endpoint) =>
      (seriesAt(state, row, endpoint).window ?? []).flatMap(({ bad }) => bad?.atMs ?? []),
    ),
  );

/** The numbers that every incident has, and those of its row. Every instant is that of a check. */
export function factsOf(judging: Judging, incident: OpenIncident, isOver: boolean): Facts {
  const { state } = judging;
  const rule = ruleOf(judging, incident.row);
  const names = isOver ? incident.allEndpoints : incident.endpoints;
  // The end of a share speaks of the numbers that were told; only the last bad check is newer.
  if (isOver && incident.told && rule?.opens.share)
    return {
      ...incident.told.facts,
      scope: isWide({ endpoints: names }) ? "api" : "endpoint",
      endpoints: names,
      lastBadAt: instantText(lastCountedMsOf(state, incident)),
    };
  const isSharp = rule !== undefined && !rule.isGradual && rule.opens.share === undefined;
  const cause = isOver ? undefined : findLastCause(judging, incident);
  const lasting = isOver ? undefined : findUnbroken(judging, incident);
  const since = isOver ? wholeOnsetOf(incident) : (cause?.onset ?? lasting ?? incident.onset);
  const spans = isSharp ? findSpans(judging, incident, since, isOver) : [];
  // Of several spans the first one began it; a cause begins while endpoints are bad.
  const onset = cause || (isOver && spans.length > 0) ? since : withEarlierBad(since, names);
  const lastMs = rule?.opens.share ? lastCountedMsOf(state, incident) : lastBadMsOf(incident, names);
  const counted = incident.counted ?? countOf(incident, names, onset);
  const facts: Facts = {
    rule: incident.rule,
    scope: names.length === endpointIds.length ? "api" : "endpoint",
    endpoints: names,
    firstBadAt: instantText(onset.atMs),
    lastGoodBeforeAt: instantOrNull(isSharp ? goodBeforeOf(onset, names) : undefined),
    lastBadAt: instantText(lastMs),
    firstGoodAfterAt: instantOrNull(isSharp && isOver ? goodAgainMsOf(state, incident, names) : undefined),
    bad: counted.bad,
    total: counted.total,
    windowSeconds: Math.round((incident.overMs ?? lastMs - onset.atMs) / 1_000),
    ...rule?.facts?.(viewOf(judging, { ...incident, endpoints: names }, onset, counted)),
  };
  if (incident.hasCovered) facts.hasCovered = true;
  if (incident.pattern) Object.assign(facts, patternFacts(incident.pattern));
  const recovered = incident.allEndpoints.filter(
    (endpoint) => !names.includes(endpoint) && !seriesAt(state, incident.row, endpoint).bad,
  );
  if (recovered.length > 0) facts.recovered = recovered;
  const all = [...spans, ...(isSharp ? spansOf(state, incident, recovered) : [])];
  if (all.length > 0) facts.spans = all.map(toEndpointSpan);
  if (isSharp && !isOver && !cause && !lasting) facts.earlier = findEarlier(incident, onset);
  if (incident.told && facts.dates) noteMovedDates(facts, incident, incident.told.facts);
  if (incident.windowEndMs !== undefined) facts.expectedUntil = instantText(incident.windowEndMs);
  // Where only some of its endpoints are bad without a break, it still comes and goes.
  if (lasting) facts.lastsSince = instantText((cause ? lasting : onset).atMs);
  else if (incident.comesAndGoes) facts.comesAndGoes = true;
  if (rule?.shows) noteCauses(facts, incident, counted, rule.shows);
  return facts;
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
function noteCauses(facts: Facts, incident: OpenIncident, counted: Counted, shows: Shows): void {
  if (!isCarried(shows, facts.rule, counted)) facts.isMixed = true;
  const causes = causesOf(incident);
  const { through } = latest(partsOf(incident, facts.endpoints).map(latestOfPart));
  const areCarried = causes.map(({ rule, onset: { before } }, index) =>
    isCarried(shows, rule, countBetween(before, causes[index + 1]?.onset.before ?? through, facts.endpoints)),
  );
  const shown = causes.slice(areCarried.lastIndexOf(false) + 1).slice(-6);
  const isWhole = shown.length === causes.length;
  if (causes.length > 1 && (isWhole || shown.at(-1)?.onset.atMs === Date.parse(facts.firstBadAt)))
    facts.causes = shown.map(({ rule, onset: { atMs } }) => ({ rule, from: instantText(atMs) }));
}

/** The endpoints whose date is another one than people were told, and that date. */
function noteMovedDates(facts: Facts, { parts }: OpenIncident, told: Facts): void {
  const before: NonNullable<Facts["previousDates"]> = {};
  for (const endpoint of facts.endpoints) {
    const [date, toldDate] = [facts.dates?.[endpoint], told.dates?.[endpoint]];
    // A state of the first release has dates that are always as far ahead.
    if (date && toldDate && told.aheadDays === undefined && isOtherDate(toldDate, date))
      before[endpoint] = toldDate;
  }
  // What moved from one day to another is said of these endpoints only, and two checks of them have shown both.
  const moved = Object.keys(before) as EndpointId[];
  const daysOf = (name: EndpointId) => [before[name], facts.dates?.[name]].map((date) => date!.slice(0, 10));
  const areShown = (name: EndpointId) => {
    const alike = moved.filter((other) => daysOf(other).join() === daysOf(name).join());
    const countDay = (day: string) =>
      alike.reduce((sum, other) => sum + (parts[other]?.endDays?.[day] ?? 0), 0);
    return daysOf(name).every((day) => countDay(day) >= 2);
  };
  for (const name of moved.filter((one) => !areShown(one))) delete before[name];
  const dates = Object.values(before);
  if (dates.length === 0) return;
  facts.previousDates = before;
  facts.previousDate = dates.sort()[0];
}

/** An end moves by days; dates within an hour are one date that is computed anew for each response. */
const isOtherDate = (one: string, other: string) =>
  one.slice(0, 10) !== other.slice(0, 10) && Math.abs(Date.parse(one) - Date.parse(other)) > hourMs;

/** The windows of a pattern as they were measured, and the next one by its own days. */
function patternFacts({ windows, nextDay, isOnWorkdays, everyDays }: Pattern): Partial<Facts> {
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
    pattern: describePattern({ windows, isOnWorkdays, everyDays }),
  };
}

/** Two weekends without an outage between those of workdays. */
const provenWorkdays = 14;

function describePattern({
  windows,
  isOnWorkdays,
  everyDays,
}: Pick<Pattern, "windows" | "isOnWorkdays" | "everyDays">) {
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
