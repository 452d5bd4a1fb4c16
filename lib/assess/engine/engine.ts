// The engine: marks → runs and shares → incidents. It decides what is true now: it alone counts, dates onsets, groups
// endpoints, opens, changes and ends incidents. Whether anybody was told, or may be told, is no matter of it: telling.ts.
import { type EndpointId, endpoints, sortEndpoints } from "../../contract/endpoints.ts";
import type { RuleId } from "../../records/incident.ts";
import type { CheckReason } from "../../records/observation.ts";
import { dayMs, hourMs, minuteMs } from "../../time.ts";
import type { Check } from "../checks/check.ts";
import { latestOf } from "../checks/history.ts";
import { isolate } from "../isolate.ts";
import type { AnyRule, Mark, MarkContext } from "../rules/rule.ts";
import { noteSchedule, type Rounds, roundsMs, secondLook, settled, together } from "./cadence.ts";
import {
  calmMsOf,
  continueNotice,
  inherit,
  lastingOnsetOf,
  mayHaveOtherCause,
  noteLasting,
  noteReturn,
  recognizeReturn,
  soon,
} from "./comes-and-goes.ts";
import { areAgreed, confirmValues } from "./confirmed.ts";
import {
  begin,
  coveredSpans,
  createId,
  createIncident,
  end,
  endpointsOf,
  firesAt,
  type GoodRun,
  goodBefore,
  type IncidentPart,
  isCovered,
  type Judging,
  type OpenIncident,
  openOf,
  partsOf,
  type Run,
  type Series,
  seriesAt,
  viewOf,
} from "./engine-state.ts";
import { toRecord } from "./facts.ts";
import { expectWindow, judgePatterns, noteWindow, raiseOutlasting } from "./recurring.ts";
import {
  areBadTogether,
  type EndpointSeries,
  findConfirmed,
  harderAt,
  listSeries,
  neededMs,
  onsetOf,
  onsetOfParts,
  spanMs,
} from "./runs.ts";
import { addCounted, countOne } from "./share-window.ts";
import { judgeShare } from "./shares.ts";
import {
  addMark as addToTally,
  addUncounted,
  addUnmarked,
  earliest,
  freshTally,
  type Onset,
  type Tallies,
  type Tally,
} from "./tallies.ts";

/** Another cause is decided when two further checks over this time agree on it. */
const causeForMs = 4 * minuteMs;
const causeChecks = 2;
/** A part of what may come and go is gone after this time. */
const partGone: Rounds = { rounds: 8, leastMs: hourMs };
/** Between two good checks so far apart nobody looked. */
const unwatched: Rounds = { rounds: 3, leastMs: hourMs };
const maxMarks = 48;
const maxRecent = 3;
const maxCauses = 12;
const maxResolved = 200;
const resolvedKeptMs = 60 * dayMs;

// ------------------------------------------------------------------------------------------------ marks
/** One check → one mark for every rule that looks at it. */
export function observe(judging: Judging, check: Check): void {
  noteSchedule(judging.state, check);
  for (const rule of judging.rules) {
    if (rule.markTick || !isOfSeries(rule, check)) continue;
    guard(judging, rule, () => {
      const series = seriesAt(judging.state, rule.id, check.endpoint);
      const context = contextOf(judging, rule, check.endpoint);
      const mark = rule.mark(check, series.before, context);
      rule.learn?.(series.before, check, mark === undefined || mark === "good" ? mark : "bad", context);
      if (mark !== undefined) addMark(judging, { rule, series, check, mark });
      else if (rule.countsAll && check.class !== "none") countUnmarked(rule, series, check);
      else if (rule.notesUncounted && check.class !== "none")
        series.tally = addUncounted(series.tally ?? freshTally());
    });
  }
}

function isOfSeries({ looksAt }: AnyRule, check: Check): boolean {
  const isVariant = looksAt?.variants ? looksAt.variants.includes(check.variant) : check.isPrimary;
  return isVariant && (!looksAt?.roles || looksAt.roles.includes(endpoints[check.endpoint].role));
}

function contextOf(judging: Judging, { id, limits }: AnyRule, endpoint: EndpointId): MarkContext {
  const { history, settings } = judging;
  const isFiring = openOf(judging, id).some((incident) => incident.allEndpoints.includes(endpoint));
  return { limit: (isFiring ? limits?.close : limits?.open) ?? 0, history, settings, failed: judging.failed };
}

/** A rule that throws is reported by the row `rule-failed`; the others go on. */
const guard = ({ failed }: Judging, { id }: AnyRule, work: () => void): void =>
  isolate(failed, id, work, undefined);

type NewMark = {
  rule: AnyRule;
  series: Series;
  check: Pick<Check, "atMs" | "endpoint" | "reason" | "sample">;
  mark: NonNullable<Mark<unknown>>;
};
type BadMark = Exclude<Mark<unknown>, "good" | undefined>;
type NewBadMark = NewMark & { mark: BadMark };

function addMark(judging: Judging, added: NewMark): void {
  const { rule, series, check, mark } = added;
  const { atMs } = check;
  series.marks = [...series.marks, mark === "good" ? atMs : -atMs].slice(-maxMarks);
  if (mark !== "good") {
    addBad(judging, { ...added, mark });
    return;
  }
  countMark(added);
  series.bad = undefined;
  series.good = continueGood(series.good, atMs, roundsMs(judging, rule, unwatched));
}

function addBad(judging: Judging, added: NewBadMark): void {
  const { rule, series, check } = added;
  const { atMs, endpoint } = check;
  const incidents = openOf(judging, rule.id).filter(({ allEndpoints }) => allEndpoints.includes(endpoint));
  // Of several incidents one is about it now.
  const incident = incidents.find(({ endpoints: names }) => names.includes(endpoint)) ?? incidents[0];
  // The parts of a share are made of its window.
  const parts = rule.opens.share ? [] : incidents.flatMap((one) => one.parts[endpoint] ?? []);
  const part = rule.opens.share ? undefined : incident?.parts[endpoint];
  if (incident && part && series.good) noteReturn(judging, rule, { incident, part, good: series.good, atMs });
  if (rule.label && !incident) forgetTallies(judging, rule);
  const before = talliesOf(judging, rule);
  countMark(added);
  const through = series.tally ?? freshTally();
  const isStart = series.bad === undefined;
  series.good = undefined;
  series.bad = continueBad(added, { before, through });
  if (!rule.opens.share) noteStart(series, series.bad, endpoint, isStart);
  for (const one of parts) {
    one.lastMs = atMs;
    one.through = through;
    one.recent = [...one.recent, series.bad.recent.at(-1)!].slice(-maxRecent);
  }
}

/** In the windows of a share, or in the tally of the series. */
function countMark({ rule, series, check: { atMs, reason }, mark }: NewMark): void {
  const bad = mark === "good" ? undefined : { value: mark.bad, label: rule.label?.(mark.bad) };
  if (!rule.opens.share) {
    const counted = bad && { label: bad.label, kind: rule.kind?.(bad.value) };
    series.tally = addToTally(series.tally ?? freshTally(), atMs, counted);
    return;
  }
  const labels = bad?.label === undefined ? {} : { [bad.label]: 1 };
  const marked = bad && { value: bad.value, labels };
  if (isCounted(rule, reason)) {
    series.window ??= [];
    addCounted(series.window, atMs, marked);
  }
  const latest = Math.max(0, ...rule.opens.share.map(({ turns, of = 0 }) => (turns ? of : 0)));
  if (latest > 0) series.latest = [...(series.latest ?? []), countOne(atMs, marked)].slice(-latest);
}

/** Whether a share counts the checks that are made for this reason. */
const isCounted = ({ looksAt }: AnyRule, reason: CheckReason): boolean =>
  looksAt?.reasons?.includes(reason) ?? true;

/** What is counted of the row so far. */
const talliesOf = (judging: Judging, rule: AnyRule): Tallies =>
  Object.fromEntries(
    listSeries(judging, rule).flatMap(({ endpoint, series: { tally } }) =>
      tally ? [[endpoint, tally]] : [],
    ),
  );

const maxStarts = 8;
function noteStart(
  series: Series,
  { sinceMs: firstMs, lastMs, before }: Run,
  endpoint: EndpointId,
  isStart: boolean,
): void {
  const known = series.starts ?? [];
  const former = isStart ? known : known.slice(0, -1);
  const start = isStart
    ? { firstMs, lastMs, before: before[endpoint] ?? freshTally() }
    : { ...known.at(-1)!, lastMs };
  series.starts = [...former, start].slice(-maxStarts);
}

/** What was counted of labels when the row was bad before would take the room of others. */
function forgetTallies(judging: Judging, rule: AnyRule): void {
  const all = listSeries(judging, rule);
  if (openOf(judging, rule.id).length > 0 || all.some(({ series }) => series.bad)) return;
  for (const { series } of all) {
    series.tally = freshTally(series.tally?.goodMs);
    series.starts = [];
  }
}

function continueBad(
  { rule, series, check: { atMs, sample, endpoint }, mark }: NewBadMark,
  { before, through }: { before: Tallies; through: Tally },
): Run {
  const stored = { atMs, value: mark.bad, sample, before: rule.shows ? before : undefined };
  const run = series.bad ?? beginRun(series, { endpoint, atMs, before }, mark);
  const isNewSample = sample !== undefined && !run.samples.includes(sample) && run.samples.length < 3;
  return {
    ...run,
    count: run.count + 1,
    lastMs: atMs,
    through,
    samples: isNewSample ? [...run.samples, sample] : run.samples,
    hasUnsampled: run.hasUnsampled || sample === undefined,
    recent: [...run.recent, stored].slice(-maxRecent),
  };
}

/** Where the rule knows that checks before this one belong to it, the run has begun with these. */
function beginRun(
  series: Series,
  { endpoint, atMs, before }: { endpoint: EndpointId; atMs: number; before: Tallies },
  { sinceMs = atMs, checks = 1 }: BadMark,
): Run {
  const own = before[endpoint] ?? freshTally();
  const [bad, total] = [own.bad + 1 - checks, own.total + 1 - checks];
  const goodMs = (own.goodMs ?? 0) < sinceMs ? own.goodMs : goodBefore(series, sinceMs);
  return {
    count: 0,
    firstMs: atMs,
    lastMs: atMs,
    sinceMs,
    samples: [],
    hasUnsampled: false,
    before: { ...before, [endpoint]: { ...own, bad, total, goodMs } },
    through: own,
    recent: [],
  };
}

function continueGood(run: GoodRun | undefined, atMs: number, unwatchedMs: number): GoodRun {
  if (!run) return { count: 1, firstMs: atMs, lastMs: atMs, watchedMs: 0 };
  return {
    count: run.count + 1,
    firstMs: run.firstMs,
    lastMs: atMs,
    watchedMs: run.watchedMs + Math.min(unwatchedMs, atMs - run.lastMs),
  };
}

function countUnmarked(rule: AnyRule, series: Series, { atMs, reason }: Check): void {
  if (!rule.opens.share) series.tally = addUnmarked(series.tally ?? freshTally());
  else
    series.unmarkedMs = {
      window: isCounted(rule, reason) ? atMs : series.unmarkedMs?.window,
      latest: atMs,
    };
}

// ------------------------------------------------------------------------------------------------ judging
/** Evaluates every rule once, at one instant. */
export function judge(judging: Judging): void {
  for (const rule of judging.rules)
    guard(judging, rule, () => {
      if (rule.markTick) markTicks(judging, rule);
      if (rule.opens.share) judgeShare(judging, rule, rule.opens.share);
      else judgeRun(judging, rule);
    });
  judgePatterns(judging);
}

/** What ended in this evaluation, as people see it. */
export function noteEnded(judging: Judging): void {
  const { state, nowMs, endings } = judging;
  const ended = endings.map(({ incident, successor }) => ({
    ...toRecord(judging, incident, nowMs),
    supersededBy: successor?.id,
  }));
  state.resolved = [...state.resolved, ...ended]
    .filter(({ resolvedAt = "" }) => Date.parse(resolvedAt) > nowMs - resolvedKeptMs)
    .slice(-maxResolved);
}

/** The incidents as people see them, after everything was decided and told. */
export function listIncidents(judging: Judging): void {
  const { state, rules } = judging;
  state.incidents = [
    ...state.open.filter(({ severity }) => severity !== "digest").map((one) => toRecord(judging, one)),
    ...rules.flatMap((rule) => listPending(judging, rule)),
  ];
}

function markTicks(judging: Judging, rule: AnyRule): void {
  for (const endpoint of endpointsOf(rule)) {
    const mark = rule.markTick?.(endpoint, judging.nowMs, contextOf(judging, rule, endpoint));
    const series = seriesAt(judging.state, rule.id, endpoint);
    const atMs = judging.history.endpoints[endpoint]?.lastMs ?? judging.nowMs;
    // Between two checks a tick repeats what the one before it said.
    const isKnown =
      Math.abs(series.marks.at(-1) ?? 0) === atMs && (series.bad !== undefined) === (mark !== "good");
    if (mark === undefined || isKnown) continue;
    const check: NewMark["check"] = { atMs, endpoint, reason: "scheduled", sample: undefined };
    addMark(judging, { rule, series, check, mark });
  }
}

// ------------------------------------------------------------------------------------------------ runs
const lastOf = ({ lastMs }: Run) => ({ fromMs: lastMs, atMs: lastMs });

function judgeRun(judging: Judging, rule: AnyRule): void {
  if (!rule.opens.run) return;
  for (const incident of openOf(judging, rule.id)) follow(judging, rule, incident);
  const all = listSeries(judging, rule);
  if (all.every(({ series }) => !series.bad)) return;
  const known = openOf(judging, rule.id);
  const free = all.filter(
    ({ endpoint, series }) =>
      !known.some(({ endpoints }) => endpoints.includes(endpoint)) &&
      !firesAt(judging, rule.inhibitedBy ?? [], endpoint) &&
      !(series.bad && isCovered(coveredSpans(judging, rule, endpoint), lastOf(series.bad))),
  );
  const bad = free.filter(({ series }) => series.bad);
  if (bad.length === 0) return;
  for (const incident of known) {
    const joining = findJoining(judging, rule, incident, bad);
    if (joining.length > 0) {
      join(judging, rule, incident, joining);
      return;
    }
  }
  if (known.length > 0 && areBadTogether(judging, rule, all)) {
    // Everything is bad now: one incident takes the place of those of single endpoints, and its end ends these too.
    const opening = all.filter(({ series }) => series.bad);
    if (mayOpen(judging, rule, opening)) open(judging, rule, opening, known);
    return;
  }
  const opening = findConfirmed(judging, rule, free);
  if (opening.length === 0) return;
  const { atMs: firstMs } = onsetOf(judging, rule, opening);
  const wasGood = opening.some(({ series }) => goodBefore(series, firstMs) !== undefined);
  if (rule.opens.run.isAfterGood && !wasGood) return;
  if (mayOpen(judging, rule, opening)) open(judging, rule, opening);
}

/** The endpoints that are part of an open incident now: that became bad with it, have its key, or were part of it before. */
function findJoining(
  judging: Judging,
  rule: AnyRule,
  incident: OpenIncident,
  bad: readonly EndpointSeries[],
): EndpointSeries[] {
  // A fault that comes and goes may do so on other endpoints, too, as soon as it is confirmed there.
  if (incident.comesAndGoes) {
    const confirmed = findConfirmed(judging, rule, listSeries(judging, rule));
    return bad.filter(({ endpoint }) => confirmed.some((one) => one.endpoint === endpoint));
  }
  const onsetMs = Math.max(...partsOf(incident, incident.endpoints).map(({ firstMs }) => firstMs));
  return bad.filter(({ endpoint, series }) => {
    const run = series.bad!;
    const isTogether = Math.abs(run.firstMs - onsetMs) <= roundsMs(judging, rule, together);
    const isAlike = keysOf(rule, incident).includes(rule.key?.(run.recent.at(-1)!.value, run.lastMs) ?? "");
    const isMember = incident.allEndpoints.includes(endpoint);
    return run.count >= 2 && (isMember || isTogether || isAlike);
  });
}

/** What is said of each of its endpoints. */
const keysOf = ({ key }: AnyRule, incident: OpenIncident): string[] =>
  partsOf(incident, incident.endpoints).flatMap(({ confirmed }) =>
    key && confirmed ? [key(confirmed.value, confirmed.atMs)] : [],
  );

/** A warning waits until every endpoint was looked at since the onset, and until checks agree: it is told once, and right. */
function mayOpen(judging: Judging, rule: AnyRule, opening: readonly EndpointSeries[]): boolean {
  if (rule.severity === "page") return true;
  const { atMs: sinceMs } = onsetOf(judging, rule, opening);
  const hasWaited = (rounds: Rounds) => judging.nowMs - sinceMs >= roundsMs(judging, rule, rounds);
  const isLookedAt = listSeries(judging, rule).every(
    ({ series }) => series.marks.length === 0 || Math.abs(series.marks.at(-1)!) >= sinceMs,
  );
  const runs = opening.map(({ series }) => ({ recent: series.bad!.recent }));
  return (isLookedAt || hasWaited(settled)) && (areAgreed(judging, rule, runs) || hasWaited(secondLook));
}

/** It covers checks from the first bad one since the onset of the incident on, also of a shorter run before. */
function partOf({ bad, marks, starts = [] }: Series, fromMs: number): IncidentPart {
  const { sinceMs, lastMs, recent, before, through } = bad!;
  const first = marks.find((mark) => mark < 0 && -mark >= fromMs);
  const coversFromMs = first === undefined ? sinceMs : -first;
  const shown = starts.find((start) => start.firstMs >= fromMs && start.firstMs < sinceMs);
  return { firstMs: sinceMs, coversFromMs, lastMs, recent, before, through, shown };
}

const partsOfRuns = (bad: readonly EndpointSeries[], fromMs: number): OpenIncident["parts"] =>
  Object.fromEntries(bad.map(({ endpoint, series }) => [endpoint, partOf(series, fromMs)]));

const namesOf = (all: readonly EndpointSeries[]) => all.map(({ endpoint }) => endpoint);

/** The incident that these runs are, with what they show. It is not open yet. */
function createOfRuns(judging: Judging, rule: AnyRule, bad: readonly EndpointSeries[]): OpenIncident {
  const onset = onsetOf(judging, rule, bad);
  const parts = partsOfRuns(bad, onset.atMs);
  const incident = createIncident(judging, rule, namesOf(bad), { onset, parts });
  refresh(judging, rule, incident);
  return incident;
}

function open(
  judging: Judging,
  rule: AnyRule,
  opening: readonly EndpointSeries[],
  replaced: OpenIncident[] = [],
): void {
  const incident = createOfRuns(judging, rule, opening);
  if (rule.closes.calm === undefined) recognizeReturn(judging, rule, incident);
  else continueNotice(judging, incident);
  begin(judging, incident);
  for (const other of replaced) {
    inherit(incident, other);
    incident.allEndpoints = sortEndpoints([...incident.allEndpoints, ...other.allEndpoints]);
    incident.parts = { ...other.parts, ...incident.parts };
    end(judging, other, incident);
  }
  // An expected window makes a warning of it: what takes the place of a page stays a page.
  if (rule.recurs && replaced.length === 0) expectWindow(judging, incident);
}

function join(
  judging: Judging,
  rule: AnyRule,
  incident: OpenIncident,
  joining: readonly EndpointSeries[],
): void {
  incident.onset = earliest([incident.onset, onsetOf(judging, rule, joining)]);
  incident.parts = { ...partsOfRuns(joining, incident.onset.atMs), ...incident.parts };
  const names = namesOf(joining);
  incident.endpoints = sortEndpoints([...incident.endpoints, ...names]);
  incident.allEndpoints = sortEndpoints([...incident.allEndpoints, ...names]);
  // It is about the endpoints that are bad now: those that have recovered are told in the end.
  refresh(judging, rule, incident);
  recause(judging, rule, incident, true);
}

/** Brings what is said of an incident (values, key, cause) up to the latest marks that are confirmed. */
function refresh(judging: Judging, rule: AnyRule, incident: OpenIncident): void {
  confirmValues(judging, rule, incident);
  const parts = partsOf(incident, incident.endpoints).toSorted((a, b) => b.lastMs - a.lastMs);
  const confirmed = parts.find((part) => part.confirmed)?.confirmed;
  incident.value = (confirmed ?? parts[0]!.recent.at(-1)!).value;
  if (rule.severityOf && incident.windowEndMs === undefined && confirmed)
    incident.severity = rule.severityOf(confirmed.value);
  if (rule.name && incident.causes.length === 0) {
    incident.rule = rule.name(viewOf(judging, incident));
    const { rule: first, onset } = incident;
    incident.causes = [{ rule: first, onset, noticedMs: onset.atMs }];
  }
}

const findInhibiting = ({ state }: Judging, { inhibitedBy = [] }: AnyRule, { endpoints }: OpenIncident) =>
  state.open.find(
    (one) => inhibitedBy.includes(one.row) && one.endpoints.some((endpoint) => endpoints.includes(endpoint)),
  );

function follow(judging: Judging, rule: AnyRule, incident: OpenIncident): void {
  const successor = rule.yields && findInhibiting(judging, rule, incident);
  const seriesOf = (endpoint: EndpointId) => seriesAt(judging.state, rule.id, endpoint);
  if (successor) {
    end(judging, incident, successor);
    // What it has seen is told with the other one: it opens again with checks that are made after that.
    for (const endpoint of incident.allEndpoints) seriesOf(endpoint).bad = undefined;
    return;
  }
  const members = incident.endpoints.map((endpoint) => ({ endpoint, series: seriesOf(endpoint) }));
  // Also of those that were good for a while already, and bad for a moment since.
  const areGood = incident.allEndpoints.every(
    (endpoint) => (seriesOf(endpoint).good?.count ?? 0) >= (rule.closes.checks ?? 1),
  );
  if (areGood && isClosed(judging, rule, incident, members)) {
    end(judging, incident);
    if (rule.recurs) noteWindow(judging, incident);
    return;
  }
  const isRescoped = rescope(judging, rule, incident, members);
  refresh(judging, rule, incident);
  const wasLasting = incident.lastsSinceMs !== undefined;
  noteLasting(judging, rule, incident);
  incident.lasting = lastingOnsetOf(judging, rule, incident);
  const isNewlyLasting = !wasLasting && incident.lastsSinceMs !== undefined;
  recause(judging, rule, incident, isRescoped || isNewlyLasting);
  if (rule.recurs) raiseOutlasting(incident);
}

/** Good marks in a row on every endpoint, the latest check among them; more of them for what comes and goes. */
function isClosed(
  judging: Judging,
  rule: AnyRule,
  incident: OpenIncident,
  members: readonly EndpointSeries[],
): boolean {
  const { checks = 1, forMs = 0 } = rule.closes;
  const runs = members.flatMap(({ series }) => series.good ?? []);
  if (runs.length < members.length || !runs.every(({ count }) => count >= checks)) return false;
  const isLatest = members.every(
    ({ endpoint, series }) =>
      rule.looksAt?.variants !== undefined ||
      rule.markTick !== undefined ||
      latestOf(judging.history, endpoint)?.atMs === series.good!.lastMs,
  );
  const lastMs = Math.max(...runs.map((run) => run.lastMs));
  const goodMs = lastMs - Math.min(...runs.map((run) => run.firstMs));
  const calmMs = Math.min(...runs.map((run) => run.watchedMs));
  return isLatest && goodMs >= neededMs(judging, forMs, false) && calmMs >= calmMsOf(judging, rule, incident);
}

/** Who recovered, while a later check shows that others did not. True when a smaller scope is to be told. */
function rescope(
  judging: Judging,
  rule: AnyRule,
  incident: OpenIncident,
  members: readonly EndpointSeries[],
): boolean {
  // While a share is known to be bad, good checks in a row are chance as bad ones are.
  const recovered = members.filter(({ endpoint, series }) => {
    const needed = harderAt(judging, rule, [endpoint])?.checks ?? rule.closes.checks ?? 1;
    return (series.good?.count ?? 0) >= needed;
  });
  const sinceMs = Math.min(...recovered.map(({ series }) => series.good!.firstMs));
  const left = members.filter(({ series }) => (series.bad?.count ?? 0) >= 2 && series.bad!.lastMs > sinceMs);
  if (recovered.length === 0 || left.length === 0) return false;
  if (left.length + recovered.length < members.length) return false;
  if (!isClosed(judging, rule, incident, recovered)) return false;
  // Of what was back before, not sooner than it would be the same fault; of what may come and go, for hours.
  const isBack = partsOf(incident, namesOf(recovered)).some(({ returns = 0 }) => returns > 0);
  const leastMs =
    rule.closes.calm !== undefined
      ? roundsMs(judging, rule, partGone)
      : isBack
        ? roundsMs(judging, rule, soon)
        : 0;
  if (!recovered.every(({ series }) => spanMs(series.good!) >= leastMs)) return false;
  incident.endpoints = namesOf(left);
  incident.onset = onsetOfParts(judging, rule, partsOf(incident, incident.endpoints));
  incident.causes = incident.causes.map((cause) => ({ ...cause, isOfMore: true }));
  return true;
}

/** Another cause is decided when further checks agree on it; at once with other endpoints, and where it begins to last. */
function recause(judging: Judging, rule: AnyRule, incident: OpenIncident, isAtOnce: boolean): void {
  if (!rule.name) return;
  const { nowMs } = judging;
  const name: RuleId = rule.name(viewOf(judging, incident));
  if (name === incident.rule) {
    incident.nextCause = undefined;
    return;
  }
  const { checks, lastMs = nowMs } = judging.history;
  if (incident.nextCause?.rule !== name) {
    const onset = findCauseOnset(rule, incident, name);
    incident.nextCause = { rule: name, onset, noticedMs: lastMs, checks };
  }
  const { onset, noticedMs, checks: before } = incident.nextCause;
  const isAgreed =
    lastMs - noticedMs >= neededMs(judging, causeForMs, false) && checks - before >= causeChecks;
  if (!(isAtOnce || isAgreed) || !mayHaveOtherCause(judging, rule, incident)) return;
  incident.rule = name;
  incident.causes = [...incident.causes, { rule: name, onset, noticedMs }].slice(-maxCauses);
  incident.nextCause = undefined;
}

/** The first of the latest marks that shows it and not the cause before; the latest one, where the same marks show both. */
function findCauseOnset(rule: AnyRule, incident: OpenIncident, name: RuleId): Onset {
  const marks = partsOf(incident, incident.endpoints).flatMap(({ recent }) => recent);
  const isShown = (cause: RuleId, value: unknown) => rule.shows?.(cause, rule.kind?.(value) ?? "") ?? false;
  const all = marks
    .flatMap(({ atMs, value, before }) =>
      before && isShown(name, value) ? [{ atMs, before, isNew: !isShown(incident.rule, value) }] : [],
    )
    .sort((a, b) => a.atMs - b.atMs);
  const { atMs, before } = all.find(({ isNew }) => isNew) ?? all.at(-1) ?? incident.onset;
  return { atMs, before };
}

// ------------------------------------------------------------------------------------------------ not confirmed
/** What is seen, and too short or too seldom for an incident: of rules that page. */
function listPending(judging: Judging, rule: AnyRule) {
  if (rule.severity !== "page" || !rule.opens.run || rule.markTick) return [];
  const known = openOf(judging, rule.id);
  const bad = listSeries(judging, rule).filter(
    ({ endpoint, series }) => series.bad && !known.some(({ endpoints }) => endpoints.includes(endpoint)),
  );
  if (bad.length === 0) return [];
  const incident = createOfRuns(judging, rule, bad);
  const { openedAt: _, ...record } = toRecord(judging, incident);
  return [{ ...record, id: createId(judging.state, incident), state: "pending" as const }];
}
