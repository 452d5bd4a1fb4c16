// What is remembered from one evaluation to the next: the marks of every rule, the incidents, and what people were told of
// them. Plain JSON and bounded.
import { type EndpointId, endpointIds, endpoints, sortEndpoints } from "../../contract/endpoints.ts";
import type { Decision, Incident, RuleId, Severity } from "../../records/incident.ts";
import type { MaintenanceWindow } from "../../records/maintenance.ts";
import { instantText } from "../../time.ts";
import type { History } from "../checks/types.ts";
import type { FailedParts } from "../isolate.ts";
import type { AnyRule, IncidentView, Part, RowId, RuleSettings, StoredMark } from "../rules/rule.ts";
import { isPartial } from "./partial.ts";
import type { CountedMarks } from "./share-window.ts";
import {
  addCounts,
  type Counted,
  countBetween,
  earliest,
  type Onset,
  type Tallies,
  type Tally,
} from "./tallies.ts";

/** Marks of one kind in a row, at the end of a series. */
export type Run = {
  count: number;
  firstMs: number;
  lastMs: number;
  /** Different samples, three at the most; none where a check had no sample. */
  samples: string[];
  hasUnsampled: boolean;
  /** `firstMs`, or an earlier check, where the rule knows that it belongs to it. */
  sinceMs: number;
  /** What was counted of the row before its first mark, and of its endpoint with its last one. */
  before: Tallies;
  through: Tally;
  recent: StoredMark[];
};

/** The first and the last mark of a run of bad ones, and what was counted of its endpoint before it. */
export type Start = { firstMs: number; lastMs: number; before: Tally };

/** The marks of one rule on one endpoint. Of the two runs one is always absent. */
export type Series = {
  before: Record<string, unknown>;
  bad?: Run | undefined;
  good?: GoodRun | undefined;
  /** The latest marks: the instant of a good one, and the negative instant of a bad one. */
  marks: number[];
  /** The latest runs of bad ones, the present one included; not of a share. */
  starts?: Start[];
  /** All marks; not of a share. */
  tally?: Tally;
  /** Of a share: the marks that are counted, of the last day. */
  window?: CountedMarks[];
  /** Of a share: the latest marks of all kinds of checks. */
  latest?: CountedMarks[];
  /** The latest checks that could count in them and say nothing of the share. */
  unmarkedMs?: { window?: number | undefined; latest: number };
};

/** `watchedMs`: its length without the time in which nobody looked. */
export type GoodRun = Pick<Run, "count" | "firstMs" | "lastMs"> & { watchedMs: number };

/** What fails from the first mark on that shows it, and when that was noticed; the first one has the onset of the incident. */
export type Cause = {
  rule: RuleId;
  onset: Onset;
  noticedMs: number;
  /** It began when the incident was about more endpoints. */
  isOfMore?: true | undefined;
};

export type OpenIncident = {
  row: RowId;
  id: string;
  rule: RuleId;
  severity: Severity | "digest";
  openedMs: number;
  /** The endpoints that it is about now, and all that it ever was about. */
  endpoints: EndpointId[];
  allEndpoints: EndpointId[];
  /** Of its endpoints; of one that was bad long before the others its part says more. */
  onset: Onset;
  parts: Partial<Record<EndpointId, IncidentPart>>;
  value: unknown;
  key: string;
  /** Since when checks of some endpoints agree on something else than is said: confirmed.ts. */
  differSinceMs?: number | undefined;
  /** The longest time that an endpoint was good inside of it. */
  stretchMs: number;
  /** comes-and-goes.ts: it is one incident until it has stayed away. */
  comesAndGoes?: true | undefined;
  /** Good and bad checks take turns: their share describes it better. */
  isMixed?: true | undefined;
  /** It comes and goes, and lasts now: since the first check of its earliest run that does. */
  lastsSinceMs?: number | undefined;
  /** It lasts on all of its endpoints since then: what is said of it now is said of the checks since. */
  lasting?: Onset | undefined;
  causes: Cause[];
  /** Another cause, and how many checks there had been when it was noticed. */
  nextCause?: (Cause & { checks: number }) | undefined;
  /** Of a share and of a pattern, which count otherwise than from an onset on. */
  counted?: Counted | undefined;
  /** Of a share: its window has checks that are not counted, because other incidents cover them or say more of them. */
  hasCovered?: true | undefined;
  /** Of a share: the checks of all kinds are counted, confirmations too, and not only the scheduled ones. */
  isOfAllChecks?: true | undefined;
  /** Of a share: the window that is counted, and the share of bad marks since the first bad one. */
  overMs?: number | undefined;
  share?: number | undefined;
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
export type Told = Pick<Incident, "severity" | "facts"> & {
  /** All endpoints of all its messages. */
  everyEndpoint: EndpointId[];
  /** The latest keys that were told, and when. The last of them is that of the last OPENED or CHANGED. */
  keys: { key: string; atMs: number }[];
  share?: number | undefined;
  /** Each CHANGED of the last 24 h. */
  changesMs: number[];
};

/** An incident that ended in this evaluation, and the one that took its place. */
export type Ending = { incident: OpenIncident; successor?: OpenIncident | undefined };

export type IncidentPart = Part & {
  /** How often it was bad again after good checks, and after fewer good checks than an end needs. */
  returns?: number | undefined;
  mixed?: number | undefined;
  /** Checks since then are those of the incident, and count in no share. */
  coversFromMs: number;
  /** What was counted of the row before its first bad mark, and of its endpoint with its last one. */
  before: Tallies;
  through: Tally;
  /** An earlier run of bad marks since the onset of the incident: its row begins with it. */
  shown?: Start | undefined;
  /** Of a share: what is counted of it, in which time, and whether checks of that time are not counted. */
  counted?: Counted | undefined;
  window?: { fromMs: number; toMs: number } | undefined;
  hasCovered?: true | undefined;
  /** The latest days of the ends that were said, and by how many checks each. */
  endDays?: Record<string, number> | undefined;
};

/** An incident that is over, for as long as shares, notices and new incidents look back. */
export type EndedIncident = Pick<OpenIncident, "row" | "endpoints" | "key"> & {
  /** Since when each endpoint was bad in it. */
  firstMs: Partial<Record<EndpointId, number>>;
  isRate: boolean;
  /** Of a notice, which may be back. */
  parts?: OpenIncident["parts"] | undefined;
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
export const isRate = (incident: OpenIncident): boolean =>
  incident.isMixed === true &&
  incident.lastsSinceMs === undefined &&
  isPartial(countOwn(incident, incident.allEndpoints, wholeOnsetOf(incident)));

/** The times inside incidents of rows that inhibit a rule. */
export function coveredSpans(
  { state, nowMs }: Judging,
  rule: AnyRule,
  endpoint: EndpointId,
): { fromMs: number; untilMs: number }[] {
  const spanOf = (row: RowId, fromMs: number | undefined, untilMs: number, isItRate: () => boolean) => {
    const isCovering = fromMs !== undefined && rule.inhibitedBy?.includes(row);
    return !isCovering || (rule.opens.share && isItRate()) ? [] : [{ fromMs, untilMs }];
  };
  return [
    ...state.open.flatMap((one) =>
      spanOf(one.row, one.parts[endpoint]?.coversFromMs, nowMs, () => isRate(one)),
    ),
    ...state.ended.flatMap((one) => spanOf(one.row, one.firstMs[endpoint], one.endedMs, () => one.isRate)),
  ];
}

/** A check inside of them was told there: it counts in no share and opens nothing afterwards. */
export const isCovered = (
  spans: ReturnType<typeof coveredSpans>,
  { fromMs, atMs }: { fromMs: number; atMs: number },
): boolean => spans.some((span) => atMs >= span.fromMs && fromMs <= span.untilMs);

/** The marks of a share after an instant that no such incident covers. */
export function withoutCovered(
  judging: Judging,
  rule: AnyRule,
  { endpoint, marks, sinceMs }: { endpoint: EndpointId; marks: readonly CountedMarks[]; sinceMs: number },
): readonly CountedMarks[] {
  const spans = coveredSpans(judging, rule, endpoint);
  if (spans.length === 0 && (marks[0]?.atMs ?? 0) > sinceMs) return marks;
  return marks.filter((one) => one.atMs > sinceMs && !isCovered(spans, one));
}

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

export const partsOf = ({ parts }: Pick<OpenIncident, "parts">, names: readonly EndpointId[]) =>
  names.flatMap((endpoint) => parts[endpoint] ?? []);

/** The last bad check of these endpoints. */
export const lastBadMsOf = (incident: Pick<OpenIncident, "parts">, names: readonly EndpointId[]): number =>
  Math.max(...partsOf(incident, names).map(({ lastMs }) => lastMs));

export const onsetOfPart = ({ firstMs, before }: IncidentPart): Onset => ({ atMs: firstMs, before });

/** That of the endpoint that was bad first. */
export const wholeOnsetOf = (incident: OpenIncident): Onset =>
  earliest([incident.onset, ...Object.values(incident.parts).map(onsetOfPart)]);

/** What was counted of these endpoints, each with its last bad check. */
export const throughOf = ({ parts }: OpenIncident, names: readonly EndpointId[]): Tallies =>
  Object.fromEntries(names.flatMap((name) => (parts[name] ? [[name, parts[name].through]] : [])));

/** From one first check of all of these endpoints to the last bad one of each. */
export const countOf = (incident: OpenIncident, names: readonly EndpointId[], { before }: Onset): Counted =>
  countBetween(before, throughOf(incident, names), names);

/** Of an endpoint, what of it lies in a window that begins with an onset. */
const partSince = (part: IncidentPart, onset: Onset): IncidentPart =>
  part.firstMs >= onset.atMs ? part : { ...part, firstMs: onset.atMs, before: onset.before };

/** Each endpoint from its own first bad check to its last: where they became bad one after the other. */
export const countOwn = (incident: OpenIncident, names: readonly EndpointId[], onset: Onset): Counted =>
  addCounts(
    names.flatMap((name) => {
      const part = incident.parts[name];
      return part ? [countBetween(partSince(part, onset).before, { [name]: part.through }, [name])] : [];
    }),
  );

/** When each endpoint ends, by what is said in the incidents that announce it. */
function announcedEnds(judging: Judging): IncidentView["ends"] {
  const ends: IncidentView["ends"] = {};
  for (const { row, endpoints: names, parts } of judging.state.open)
    for (const endpoint of names) {
      const { confirmed } = parts[endpoint] ?? {};
      const endMs = confirmed && ruleOf(judging, row)?.endsMs?.(confirmed.value);
      if (endMs !== undefined) ends[endpoint] = { endMs, checks: confirmed?.checks ?? 0 };
    }
  return ends;
}

/** What the row's own functions see of an incident: of all of it, or of the window that a message names. */
export function viewOf(
  judging: Judging,
  incident: OpenIncident,
  shown?: Pick<IncidentView, "firstMs" | "counted">,
): IncidentView {
  const onset = incident.lasting ?? incident.onset;
  const { firstMs, counted } = shown ?? {
    firstMs: onset.atMs,
    counted: incident.counted ?? countOwn(incident, incident.endpoints, onset),
  };
  const { history, settings, nowMs, state } = judging;
  const { endpoints: names, parts } = incident;
  const badSinceMs: IncidentView["badSinceMs"] = {};
  for (const endpoint of names) {
    const run = seriesAt(state, incident.row, endpoint).bad;
    if (run) badSinceMs[endpoint] = run.firstMs;
  }
  return {
    endpoints: names,
    isWide: isWide(incident),
    parts,
    value: incident.value,
    firstMs,
    comesAndGoes: incident.comesAndGoes === true,
    causes: incident.causes.map(({ rule, noticedMs }) => ({ rule, fromMs: noticedMs })),
    badSinceMs,
    ends: announcedEnds(judging),
    nowMs,
    counted,
    history,
    settings,
  };
}

/** The first good check of an endpoint after its last bad one. */
export function goodAfterMsOf(state: EngineState, row: RowId, endpoint: EndpointId, lastMs: number) {
  const { good, marks } = seriesAt(state, row, endpoint);
  return good && good.firstMs > lastMs ? good.firstMs : marks.find((mark) => mark > lastMs);
}

/** The first good check of an endpoint that was bad until the end: one that was good earlier does not show the end. */
export function goodAgainMsOf(
  state: EngineState,
  { row, parts }: OpenIncident,
  names: readonly EndpointId[],
): number | undefined {
  const lastMs = lastBadMsOf({ parts }, names);
  const again = names.flatMap(
    (endpoint) => goodAfterMsOf(state, row, endpoint, parts[endpoint]?.lastMs ?? lastMs) ?? [],
  );
  const late = again.filter((ms) => ms > lastMs);
  return late.length > 0 ? Math.min(...late) : undefined;
}

/** 20261115T0250Z */
const stamp = (ms: number) => `${instantText(ms).slice(0, 16).replace(/[-:]/g, "")}Z`;

/** The id that an incident gets, once its rule is known. */
export function createId(
  { resolved, open }: EngineState,
  { rule, endpoints: names, onset }: OpenIncident,
): string {
  const place = names.length < endpointIds.length && names[0] ? `${names[0]}-` : "";
  const id = `${rule}-${place}${stamp(onset.atMs)}`;
  const same = new Set(
    [...open, ...resolved].map((one) => one.id).filter((one) => one === id || one.startsWith(`${id}-`)),
  );
  return same.size === 0 ? id : `${id}-${same.size + 1}`;
}

/** A new incident, which is not open yet: the row's `name` and `key` are read from its parts first. */
export const createIncident = (
  { nowMs }: Judging,
  rule: Pick<AnyRule, "id" | "severity">,
  names: readonly EndpointId[],
  { onset, parts }: Pick<OpenIncident, "onset" | "parts">,
): OpenIncident => ({
  row: rule.id,
  id: "",
  rule: rule.id as RuleId,
  severity: rule.severity,
  openedMs: nowMs,
  endpoints: sortEndpoints(names),
  allEndpoints: sortEndpoints(names),
  onset,
  parts,
  value: undefined,
  key: "",
  stretchMs: 0,
  causes: [],
  sent: [],
  messageCount: 0,
  supersedes: [],
});

/** From now on it is open. */
export function begin({ state }: Judging, incident: OpenIncident): void {
  incident.id = createId(state, incident);
  state.open.push(incident);
}

const maxEnded = 80;

/** The incident is over, or another one takes its place. */
export function end(judging: Judging, incident: OpenIncident, successor?: OpenIncident): void {
  const { state, nowMs } = judging;
  state.open = state.open.filter((one) => one !== incident);
  incident.endpoints = incident.allEndpoints;
  incident.lasting = undefined;
  judging.endings.push({ incident, successor });
  const { row, allEndpoints, key, parts } = incident;
  const ended: EndedIncident = {
    row,
    endpoints: allEndpoints,
    key,
    firstMs: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.coversFromMs])),
    parts: ruleOf(judging, row)?.isNotice ? parts : undefined,
    isRate: incident.counted === undefined && isRate(incident),
    endedMs: nowMs,
    goodAgainMs: goodAgainMsOf(state, incident, allEndpoints),
    isReplaced: successor !== undefined,
  };
  state.ended = [...state.ended, ended].slice(-maxEnded);
}
