// What is remembered from one evaluation to the next: the marks of every rule, the incidents, and what people were told of
// them. Plain JSON and bounded.
import { type EndpointId, endpointIds, endpoints, sortEndpoints } from "../contract/endpoints.ts";
import type { Decision, Facts, Incident, RuleId, Severity } from "../records/incident.ts";
import type { MaintenanceWindow } from "../records/maintenance.ts";
import { dayMs, hourMs } from "../time.ts";
import { latestOf } from "./history/history.ts";
import type { History } from "./history/types.ts";
import type { FailedParts } from "./isolate.ts";
import { isPartial } from "./partial.ts";
import type { AnyRule, IncidentView, Part, RowId, RuleSettings, StoredMark } from "./rules/rule.ts";
import type { CountedMarks } from "./share-window.ts";
import { groupSpans } from "./spans.ts";

/** Marks of one kind in a row, at the end of a series. */
export type Run = {
  count: number;
  firstMs: number;
  lastMs: number;
  /** Different samples, three at the most; none where a check had no sample. */
  samples: string[];
  hasUnsampled: boolean;
  /** The good mark before it, and what its marks got: a series keeps fewer marks than a run may have. */
  goodBeforeMs?: number | undefined;
  labels: Record<string, number>;
  /** From the mark, where the rule knows the onset. */
  sinceMs?: number | undefined;
  checks?: number | undefined;
  recent: StoredMark[];
};

/** The marks of one rule on one endpoint. Of the two runs one is always absent. */
export type Series = {
  before: Record<string, unknown>;
  bad?: Run | undefined;
  good?: GoodRun | undefined;
  /** The latest marks: the instant of a good one, and the negative instant of a bad one. */
  marks: number[];
  /** What the bad ones of these got. */
  labels?: { atMs: number; label: string }[];
  /** Of a share: the marks that are counted, of the last day. */
  window?: CountedMarks[];
};

/** `watchedMs`: its length without the time in which nobody looked. */
export type GoodRun = Pick<Run, "count" | "firstMs" | "lastMs"> & { watchedMs: number };

type Cause = { rule: RuleId; fromMs: number };

export type OpenIncident = {
  row: RowId;
  id: string;
  rule: RuleId;
  severity: Severity | "digest";
  openedMs: number;
  /** The endpoints that it is about now, and all that it ever was about. */
  endpoints: EndpointId[];
  allEndpoints: EndpointId[];
  parts: Partial<Record<EndpointId, IncidentPart>>;
  value: unknown;
  key: string;
  /** Since when checks of some endpoints agree on something else than is said: confirmed.ts. */
  differSinceMs?: number | undefined;
  /** The longest time that an endpoint was good inside of it, and the longest bad run inside of it that has ended. */
  stretchMs: number;
  badStretchMs: number;
  /** comes-and-goes.ts: it is one incident until it has stayed away for long. */
  comesAndGoes?: boolean | undefined;
  /** Good and bad checks take turns: their share describes it better. */
  isMixed?: boolean | undefined;
  /** It comes and goes, and since then it is bad for longer than ever before. */
  lastsSinceMs?: number | undefined;
  /** Of what lasts on all of its endpoints, only the checks since: what is said of it now is said of these. */
  lastingParts?: OpenIncident["parts"] | undefined;
  causes: Cause[];
  /** Another cause, since which check, and how many checks there had been by then. */
  nextCause?: { rule: RuleId; fromMs: number; checks: number } | undefined;
  /** Of a share: the window that is counted, and the share of bad marks since the first bad one. */
  overMs?: number | undefined;
  share?: number | undefined;
  lastBadMs?: number | undefined;
  /** Of a share: the bad marks by what they got. */
  labels?: Record<string, number> | undefined;
  /** Inside an expected window it is a warning until then. */
  windowEndMs?: number | undefined;
  pattern?: Pattern | undefined;
} & Telling;

/** What people know of an incident. Only telling.ts writes these fields, and nothing that decides reads them. */
type Telling = {
  /** Absent until the first message. */
  told?: Told | undefined;
  /** The first message and the latest ones, and how many there were. */
  sent: Incident["sent"];
  messageCount: number;
  /** The incidents that people were told of and whose place it took. */
  supersedes: string[];
  /** It waits for room. */
  isHeldBack?: boolean | undefined;
  /** A line of the digest has it. */
  isNoted?: boolean | undefined;
};

/** An incident as the last OPENED or CHANGED told it. */
export type Told = Pick<Incident, "rule" | "severity" | "facts" | "key"> & {
  /** All endpoints of all its messages. */
  everyEndpoint: EndpointId[];
  /** The latest keys that were told, and when. */
  keys: { key: string; atMs: number }[];
  share?: number | undefined;
  /** Each CHANGED of the last 24 h. */
  changesMs: number[];
  /** The last OPENED or CHANGED, and the last message of any kind. */
  atMs: number;
  lastMs: number;
};

/** An incident that ended in this evaluation, and the one that took its place. */
export type Ending = { incident: OpenIncident; successor?: OpenIncident | undefined };

export type IncidentPart = Part & {
  /** How often it was bad again after good checks, and after fewer good checks than an end needs. */
  returns?: number | undefined;
  mixed?: number | undefined;
  /** The last good mark before its own first bad one, and before the first bad one of the incident. */
  goodBeforeMs?: number | undefined;
  goodBeforeAllMs?: number | undefined;
};

/** An incident that is over, for as long as shares, notices and new incidents look back. */
export type EndedIncident = Pick<
  OpenIncident,
  "row" | "id" | "endpoints" | "key" | "parts" | "comesAndGoes" | "isMixed"
> & {
  endedMs: number;
  /** The first good check after it. */
  goodAgainMs: number | undefined;
  isReplaced: boolean;
};

/** One outage as it was measured. `fromMs` and `toMs` are the good checks around it. */
export type OutageWindow = {
  row: RowId;
  endpoints: EndpointId[];
  firstBadMs: number;
  lastBadMs: number;
  fromMs: number;
  toMs: number;
  bad: number;
  total: number;
  /** Days since 1970 of the pattern that it belongs to. */
  day: number;
};

export type Pattern = {
  windows: OutageWindow[];
  /** Time of the day. */
  anchorMs: number;
  missed: number;
  nextDay: number;
  /** V1 served a check inside of the next window. Without one nobody looked, and the window is not missed. */
  wasServed: boolean;
  everyDays: number;
  isOnWorkdays: boolean;
};

type SentMessages = {
  /** Messages of the last 24 h. */
  latest: { row: RowId; atMs: number; isOpening: boolean }[];
  /** The team's day in which reminders were sent last. */
  reminderDay?: number | undefined;
};

export type EngineState = {
  series: Partial<Record<RowId, Partial<Record<EndpointId, Series>>>>;
  open: OpenIncident[];
  ended: EndedIncident[];
  windows: OutageWindow[];
  messages: SentMessages;
  /** The latest scheduled checks of each endpoint: the cadence in force. */
  scheduled: Partial<Record<EndpointId, number[]>>;
  /** Lines for the daily digest. */
  notes: { atMs: number; rule: RuleId; endpoints: EndpointId[]; isHeldBack?: boolean | undefined }[];
  /** As people see them: pending and firing ones, and those that are over. */
  incidents: Incident[];
  resolved: Incident[];
};

export const freshEngine = (): EngineState => ({
  series: {},
  open: [],
  ended: [],
  windows: [],
  messages: { latest: [] },
  scheduled: {},
  notes: [],
  incidents: [],
  resolved: [],
});

export type IncidentEvent = {
  event: "opened" | "changed" | "resolved" | "reminder";
  incident: Incident;
  at: string;
  /** Of the messages about this incident. */
  number: number;
  /** The ids of the incidents that people were told of and whose place it took. */
  supersedes?: string[] | undefined;
};

/** One evaluation: everything that the engine reads and writes at one instant. */
export type Judging = {
  state: EngineState;
  rules: readonly AnyRule[];
  history: History;
  nowMs: number;
  settings: RuleSettings;
  decisions: readonly Decision[];
  maintenance?: readonly MaintenanceWindow[] | undefined;
  /** The team's hour: reminders are sent in the first evaluation of a new day that begins then. */
  teamDay: number;
  /** What ended in this evaluation. */
  endings: Ending[];
  /** Parts that threw: the others go on. */
  failed: FailedParts;
  /** The clock has jumped: rules on the time that has passed announce nothing. */
  isTimeDoubtful?: boolean | undefined;
};

export const instantText = (ms: number): string => new Date(ms).toISOString();
export const isWide = ({ endpoints: names }: { endpoints: readonly EndpointId[] }) =>
  names.length === endpointIds.length;

export const ruleOf = ({ rules }: Pick<Judging, "rules">, id: RowId): AnyRule | undefined =>
  rules.find((rule) => rule.id === id);

export const openOf = ({ state }: Judging, id: RowId): OpenIncident[] =>
  state.open.filter((incident) => incident.row === id);

/** Whether one of these rows has an incident of the endpoint. */
export const firesAt = ({ state }: Judging, ids: readonly RowId[], endpoint: EndpointId): boolean =>
  state.open.some((incident) => ids.includes(incident.row) && incident.endpoints.includes(endpoint));

/** Whether good and bad checks take turns in it: a share of the same checks says more of them than a state of V1 would. */
export function isRate({ isMixed, parts }: Pick<OpenIncident, "isMixed" | "parts">): boolean {
  const all = Object.values(parts);
  const count = (field: "bad" | "total") => sum(all.map((part) => part[field]));
  return isMixed === true && isPartial({ bad: count("bad"), total: count("total") });
}

/** The times inside incidents of rows that inhibit a rule. */
export function coveredSpans(
  { state, nowMs }: Judging,
  rule: AnyRule,
  endpoint: EndpointId,
): { fromMs: number; untilMs: number }[] {
  const spanOf = (one: OpenIncident | EndedIncident, untilMs: number) => {
    const part = rule.inhibitedBy?.includes(one.row) ? one.parts[endpoint] : undefined;
    return part === undefined || (rule.opens.share && isRate(one)) ? [] : [{ fromMs: part.firstMs, untilMs }];
  };
  return [
    ...state.open.flatMap((one) => spanOf(one, nowMs)),
    ...state.ended.flatMap((one) => spanOf(one, one.endedMs)),
  ];
}

/** A check inside of them was told there: it counts in no share and opens nothing afterwards. */
export const isCovered = (
  spans: ReturnType<typeof coveredSpans>,
  { fromMs, atMs }: { fromMs: number; atMs: number },
): boolean => spans.some((span) => atMs >= span.fromMs && fromMs <= span.untilMs);

/** Whether such an incident says all that a share of the same checks would say: one with good checks among the bad does not. */
export const isShareInhibited = (
  { state }: Judging,
  rule: AnyRule | undefined,
  names: readonly EndpointId[],
): boolean =>
  state.open.some(
    (one) =>
      rule?.inhibitedBy?.includes(one.row) &&
      !isRate(one) &&
      one.endpoints.some((endpoint) => names.includes(endpoint)),
  );

const isLookedAt = ({ looksAt }: AnyRule, endpoint: EndpointId): boolean =>
  looksAt?.roles === undefined || looksAt.roles.includes(endpoints[endpoint].role);

export const endpointsOf = (rule: AnyRule): EndpointId[] =>
  endpointIds.filter((endpoint) => isLookedAt(rule, endpoint));

export function seriesAt(state: EngineState, row: RowId, endpoint: EndpointId): Series {
  state.series[row] ??= {};
  const own = state.series[row];
  own[endpoint] ??= { before: {}, marks: [] };
  return own[endpoint];
}

/** The last good mark before an instant. */
export const goodBefore = ({ marks }: Series, ms: number): number | undefined =>
  marks.findLast((mark) => mark > 0 && mark < ms);

const maxLabels = 12;

export function tally(labels: Record<string, number>, label: string | undefined, times = 1): void {
  if (label === undefined) return;
  const isRoom = label in labels || Object.keys(labels).length < maxLabels;
  const name = isRoom ? label : "other";
  labels[name] = (labels[name] ?? 0) + times;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const known = <Value>(values: readonly (Value | undefined)[]): Value[] =>
  values.filter((value): value is Value => value !== undefined);
const latest = (values: readonly (number | undefined)[]): number | undefined =>
  known(values).length > 0 ? Math.max(...known(values)) : undefined;

export const partsOf = ({ parts }: Pick<OpenIncident, "parts">, names: readonly EndpointId[]) =>
  known(names.map((endpoint) => parts[endpoint]));

export const firstMsOf = (incident: Pick<OpenIncident, "parts" | "endpoints">): number =>
  Math.min(...partsOf(incident, incident.endpoints).map(({ firstMs }) => firstMs));

function addLabels(parts: readonly Part[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { labels } of parts)
    for (const [label, count] of Object.entries(labels)) counts[label] = (counts[label] ?? 0) + count;
  return counts;
}

/** When each endpoint ends, by what is said in the incidents that announce it. */
function announcedEnds(judging: Judging): IncidentView["endsMs"] {
  const ends: IncidentView["endsMs"] = {};
  for (const { row, endpoints: names, parts } of judging.state.open)
    for (const endpoint of names) {
      const { confirmed } = parts[endpoint] ?? {};
      const endMs = confirmed && ruleOf(judging, row)?.endsMs?.(confirmed.value);
      if (endMs !== undefined) ends[endpoint] = endMs;
    }
  return ends;
}

/** What the row's own functions see of an incident. */
export function viewOf(judging: Judging, incident: OpenIncident): IncidentView {
  const { history, settings, nowMs, state } = judging;
  const parts = incident.lastingParts ?? incident.parts;
  const badSinceMs: IncidentView["badSinceMs"] = {};
  for (const endpoint of incident.endpoints) {
    const run = seriesAt(state, incident.row, endpoint).bad;
    if (run) badSinceMs[endpoint] = run.firstMs;
  }
  return {
    endpoints: incident.endpoints,
    isWide: isWide(incident),
    parts,
    value: incident.value,
    key: incident.key,
    firstMs: firstMsOf({ parts, endpoints: incident.endpoints }),
    causes: incident.causes,
    badSinceMs,
    endsMs: announcedEnds(judging),
    nowMs,
    labels: incident.labels ?? addLabels(partsOf({ parts }, incident.endpoints)),
    history,
    settings,
  };
}

/** The first good check of an endpoint after its last bad one. */
function goodAfterMsOf(state: EngineState, row: RowId, endpoint: EndpointId, lastMs: number) {
  const { good, marks } = seriesAt(state, row, endpoint);
  return good && good.firstMs > lastMs ? good.firstMs : marks.find((mark) => mark > lastMs);
}

/** The first good check of an endpoint that was bad until the end: one that was good earlier does not show the end. */
export function goodAgainMsOf(
  state: EngineState,
  { row, parts }: OpenIncident,
  names: readonly EndpointId[],
): number | undefined {
  const lastMs = Math.max(...partsOf({ parts }, names).map((part) => part.lastMs));
  const again = names.map((endpoint) =>
    goodAfterMsOf(state, row, endpoint, parts[endpoint]?.lastMs ?? lastMs),
  );
  const late = known(again).filter((ms) => ms > lastMs);
  return late.length > 0 ? Math.min(...late) : undefined;
}

const instantOrNull = (ms: number | undefined) => (ms === undefined ? null : instantText(ms));

/** How long each of these endpoints was part of it. */
function spansOf(
  state: EngineState,
  { row, parts }: OpenIncident,
  names: readonly EndpointId[],
): NonNullable<Facts["spans"]> {
  const spans: NonNullable<Facts["spans"]> = {};
  for (const endpoint of names) {
    const part = parts[endpoint];
    if (!part) continue;
    const { firstMs, lastMs, goodBeforeMs, bad, total } = part;
    spans[endpoint] = {
      firstBadAt: instantText(firstMs),
      lastGoodBeforeAt: instantOrNull(goodBeforeMs),
      lastBadAt: instantText(lastMs),
      firstGoodAfterAt: instantOrNull(goodAfterMsOf(state, row, endpoint, lastMs)),
      bad,
      total,
    };
  }
  return spans;
}

/** The numbers that every incident has, and those of its row. Every instant is that of a check. */
export function factsOf(judging: Judging, incident: OpenIncident, isOver: boolean): Facts {
  const { state, nowMs } = judging;
  const rule = ruleOf(judging, incident.row);
  const names = isOver ? incident.allEndpoints : incident.endpoints;
  const parts = partsOf({ parts: incident.lastingParts ?? incident.parts }, names);
  const firstMs = Math.min(...parts.map((part) => part.firstMs));
  const lastMs = Math.max(...parts.map((part) => part.lastMs));
  const before = parts.map(({ goodBeforeMs, goodBeforeAllMs, firstMs: own }) =>
    own === firstMs || (goodBeforeMs ?? nowMs) < firstMs ? goodBeforeMs : goodBeforeAllMs,
  );
  // The end of a share speaks of the numbers that were told; only the last bad check is newer.
  if (isOver && incident.told && rule?.opens.share)
    return {
      ...incident.told.facts,
      scope: isWide({ endpoints: names }) ? "api" : "endpoint",
      endpoints: names,
      lastBadAt: instantText(incident.lastBadMs ?? lastMs),
    };
  const isSharp = rule !== undefined && !rule.isGradual && rule.opens.share === undefined;
  const lastGoodMs = isSharp
    ? latest(before.map((ms) => ((ms ?? nowMs) < firstMs ? ms : undefined)))
    : undefined;
  const goodAgainMs = isSharp && isOver ? goodAgainMsOf(state, incident, names) : undefined;
  const windowMs = incident.overMs ?? lastMs - firstMs;
  const facts: Facts = {
    rule: incident.rule,
    scope: names.length === endpointIds.length ? "api" : "endpoint",
    endpoints: names,
    firstBadAt: instantText(firstMs),
    lastGoodBeforeAt: instantOrNull(lastGoodMs),
    lastBadAt: instantText(lastMs),
    firstGoodAfterAt: instantOrNull(goodAgainMs),
    bad: sum(parts.map(({ bad }) => bad)),
    total: sum(parts.map(({ total }) => total)),
    windowSeconds: Math.round(windowMs / 1_000),
    ...rule?.facts?.(viewOf(judging, incident)),
  };
  if (incident.pattern) Object.assign(facts, patternFacts(incident.pattern));
  const recovered = incident.allEndpoints.filter((endpoint) => !names.includes(endpoint));
  if (recovered.length > 0) facts.recovered = recovered;
  if (isSharp && (recovered.length > 0 || isOver)) {
    const spans = spansOf(state, incident, isOver ? names : recovered);
    if (!isOver || groupSpans(spans).length > 1) facts.spans = spans;
  }
  if (incident.told && facts.dates) noteMovedDates(facts, incident.told.facts);
  if (incident.windowEndMs !== undefined) facts.expectedUntil = instantText(incident.windowEndMs);
  // Where only some of its endpoints are bad without a break, it still comes and goes.
  if (incident.lastingParts && !isOver) facts.lastsSince = instantText(firstMs);
  else if (incident.comesAndGoes) facts.comesAndGoes = true;
  if (incident.causes.length > 1)
    facts.causes = incident.causes
      .slice(-6)
      .map((cause) => ({ rule: cause.rule, from: instantText(cause.fromMs) }));
  return facts;
}

/** The endpoints whose date is another one than people were told, and that date. */
function noteMovedDates(facts: Facts, told: Facts): void {
  const before: NonNullable<Facts["previousDates"]> = {};
  for (const endpoint of facts.endpoints) {
    const [date, toldDate] = [facts.dates?.[endpoint], told.dates?.[endpoint]];
    // A state of the first release has dates that are always as far ahead.
    if (date && toldDate && told.aheadDays === undefined && isOtherDate(toldDate, date))
      before[endpoint] = toldDate;
  }
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
  if (isOnWorkdays) return isProven ? "on workdays" : "at the same hour";
  return everyDays === 1 ? "every day" : `every ${everyDays} days`;
}

/** 20261115T0250Z */
const stamp = (ms: number) => `${instantText(ms).slice(0, 16).replace(/[-:]/g, "")}Z`;

function createId(
  { resolved, open }: EngineState,
  rule: RuleId,
  names: readonly EndpointId[],
  firstMs: number,
): string {
  const place = names.length < endpointIds.length && names[0] ? `${names[0]}-` : "";
  const id = `${rule}-${place}${stamp(firstMs)}`;
  const same = new Set(
    [...open, ...resolved].map((one) => one.id).filter((one) => one === id || one.startsWith(`${id}-`)),
  );
  return same.size === 0 ? id : `${id}-${same.size + 1}`;
}

/** A new incident; the row's `name` and `key` are read from its parts. */
export function begin(
  judging: Judging,
  rule: Pick<AnyRule, "id" | "severity">,
  names: readonly EndpointId[],
  parts: OpenIncident["parts"],
): OpenIncident {
  const { state, nowMs } = judging;
  const incident: OpenIncident = {
    row: rule.id,
    id: "",
    rule: rule.id as RuleId,
    severity: rule.severity,
    openedMs: nowMs,
    endpoints: sortEndpoints(names),
    allEndpoints: sortEndpoints(names),
    parts,
    value: undefined,
    key: "",
    stretchMs: 0,
    badStretchMs: 0,
    causes: [],
    sent: [],
    messageCount: 0,
    supersedes: [],
  };
  state.open.push(incident);
  return incident;
}

/** Once its rule is known. */
export function nameIncident({ state }: Judging, incident: OpenIncident): void {
  incident.id = createId(state, incident.rule, incident.endpoints, firstMsOf(incident));
}

const maxEnded = 80;

/** The incident is over, or another one takes its place. */
export function end(judging: Judging, incident: OpenIncident, successor?: OpenIncident): void {
  const { state, nowMs } = judging;
  state.open = state.open.filter((one) => one !== incident);
  incident.endpoints = incident.allEndpoints;
  incident.lastingParts = undefined;
  judging.endings.push({ incident, successor });
  const { row, id, allEndpoints, key, parts, comesAndGoes, isMixed } = incident;
  const ended: EndedIncident = {
    row,
    id,
    endpoints: allEndpoints,
    key,
    parts,
    comesAndGoes,
    isMixed,
    endedMs: nowMs,
    goodAgainMs: goodAgainMsOf(state, incident, allEndpoints),
    isReplaced: successor !== undefined,
  };
  state.ended = [...state.ended, ended].slice(-maxEnded);
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
    since: facts.firstBadAt,
    openedAt: instantText(incident.openedMs),
    resolvedAt: isOver ? instantText(resolvedMs) : undefined,
    facts,
    key: incident.key.slice(0, 300),
    supersededBy: undefined,
    sent: incident.sent,
  };
  return record;
}

/** Whether the latest check of every endpoint was served. */
export const areLatestGood = ({ history }: Judging): boolean =>
  endpointIds.every((endpoint) => (latestOf(history, endpoint)?.class ?? "ok") === "ok");
