// The engine: marks → runs and shares → incidents → messages. It alone counts, dates onsets, groups endpoints, opens,
// changes and closes. No rule sees an incident, and nothing else decides anything.
import { thresholds } from "../config/thresholds.ts";
import { type EndpointId, endpointIds, endpoints, sortEndpoints } from "../contract/endpoints.ts";
import type { RuleId } from "../records/incident.ts";
import { dayMs, hourMs, minuteMs } from "../time.ts";
import {
  areLatestGood,
  begin,
  endpointsOf,
  firesAt,
  firstMsOf,
  goodBefore,
  type IncidentPart,
  isWide,
  type Judging,
  nameIncident,
  type OpenIncident,
  openOf,
  partsOf,
  type Run,
  type Series,
  seriesAt,
  toRecord,
  viewOf,
} from "./engine-state.ts";
import { type Check, hasSample } from "./history/check.ts";
import { latestOf } from "./history/history.ts";
import { isolate } from "./isolate.ts";
import { announce, announceLater, change, end, remind } from "./messages.ts";
import { expectWindow, hasOutlasted, judgePatterns, noteWindow } from "./recurring.ts";
import type { AnyRule, Mark, MarkContext, RunLimit, ShareLevel, StoredMark } from "./rules/rule.ts";

/** Endpoints that became bad within this time of each other are one incident: a round of checks and a little more. */
const togetherMs = 40 * minuteMs;
/** A warning and a change of key wait until every endpoint was looked at since, and no longer than this. */
const settledMs = 50 * minuteMs;
/** Another cause is told when two further checks over this time agree on it. */
const causeForMs = 4 * minuteMs;
const causeChecks = 2;
/** A check is made a moment after it is due, now more and now less: what of a time may be missing for that. */
const scatter = { share: 1 / 30, maxMs: 10_000 } as const;
const partGoneMs = 5 * hourMs;
/** A share ends by so many marks at least: those of seven hours. */
const enoughMarks = 36;
const maxMarks = 48;
const maxLabels = 12;
const resolvedKeptMs = 60 * dayMs;

// ------------------------------------------------------------------------------------------------ marks
/** One check → one mark for every rule that looks at it. */
export function observe(judging: Judging, check: Check): void {
  for (const rule of judging.rules) {
    if (rule.markTick || !isOfSeries(rule, check)) continue;
    guard(judging, rule, () => {
      const series = seriesAt(judging.state, rule.id, check.endpoint);
      const context = contextOf(judging, rule, check.endpoint);
      const mark = rule.mark(check, series.before, context);
      rule.learn?.(series.before, check, mark === undefined || mark === "good" ? mark : "bad", context);
      if (mark !== undefined) addMark(judging, { rule, series, check, mark });
    });
  }
}

function isOfSeries({ looksAt }: AnyRule, check: Check): boolean {
  const isVariant = looksAt?.variants ? looksAt.variants.includes(check.variant) : check.isPrimary;
  return isVariant && (!looksAt?.roles || looksAt.roles.includes(endpoints[check.endpoint].role));
}

function contextOf(judging: Judging, { id, limits }: AnyRule, endpoint: EndpointId): MarkContext {
  const { history, settings } = judging;
  const isFiring = openOf(judging, id).some((incident) => incident.announced.includes(endpoint));
  return { limit: (isFiring ? limits?.close : limits?.open) ?? 0, history, settings, failed: judging.failed };
}

/** A rule that throws leaves its incidents as they were and is reported by the row `rule-failed`; the others go on. */
function guard(judging: Judging, rule: AnyRule, work: () => void): void {
  isolate(judging.failed, rule.id, work, undefined);
  judging.state.open = judging.state.open.filter(({ id }) => id !== "");
}

const freshRun = (atMs: number): Run => ({
  count: 0,
  firstMs: atMs,
  lastMs: atMs,
  samples: [],
  hasUnsampled: false,
  recent: [],
});

function tally(labels: Record<string, number>, label: string | undefined): void {
  if (label === undefined) return;
  const isRoom = label in labels || Object.keys(labels).length < maxLabels;
  const name = isRoom ? label : "other";
  labels[name] = (labels[name] ?? 0) + 1;
}

type NewMark = {
  rule: AnyRule;
  series: Series;
  check: Pick<Check, "atMs" | "endpoint" | "reason" | "sample">;
  mark: NonNullable<Mark<unknown>>;
};

function addMark(judging: Judging, { rule, series, check, mark }: NewMark): void {
  const { atMs, endpoint, sample } = check;
  const isBad = mark !== "good";
  const incident = openOf(judging, rule.id).find(({ announced }) => announced.includes(endpoint));
  series.marks = [...series.marks, isBad ? -atMs : atMs].slice(-maxMarks);
  if (isBad) {
    if (incident && series.good)
      incident.stretchMs = Math.max(incident.stretchMs, series.good.lastMs - series.good.firstMs);
    series.good = undefined;
    const run = series.bad ?? freshRun(atMs);
    series.bad = run;
    run.count++;
    run.lastMs = atMs;
    run.sinceMs = mark.sinceMs;
    run.checks = mark.checks;
    if (sample === undefined) run.hasUnsampled = true;
    else if (!run.samples.includes(sample) && run.samples.length < 3) run.samples.push(sample);
    run.recent = [...run.recent, { atMs, value: mark.bad, sample }].slice(-3);
    if (rule.label)
      series.labels = [...(series.labels ?? []), { atMs, label: rule.label(mark.bad) }].slice(-maxMarks);
  } else {
    series.bad = undefined;
    const run = series.good ?? { count: 0, firstMs: atMs, lastMs: atMs };
    series.good = { count: run.count + 1, firstMs: run.firstMs, lastMs: atMs };
  }
  if (rule.opens.share) {
    const isCounted = rule.looksAt?.reasons?.includes(check.reason) ?? true;
    if (isCounted)
      series.window = [
        ...(series.window ?? []).filter((one) => one.atMs > atMs - dayMs),
        { atMs, isBad, value: isBad ? mark.bad : undefined },
      ];
    return;
  }
  const part = incident?.parts[endpoint];
  if (!part) return;
  if (!isBad) {
    part.goodSince++;
    return;
  }
  part.total += part.goodSince + 1;
  part.goodSince = 0;
  part.bad++;
  part.lastMs = atMs;
  part.recent = [...part.recent, { atMs, value: mark.bad, sample }].slice(-3);
  tally(part.labels, rule.label?.(mark.bad));
}

// ------------------------------------------------------------------------------------------------ judging
/** Evaluates every rule once, at one instant. */
export function judge(judging: Judging): void {
  const { state, rules, nowMs } = judging;
  for (const rule of rules)
    guard(judging, rule, () => {
      if (rule.markTick) markTicks(judging, rule);
      if (rule.opens.share) judgeShare(judging, rule, rule.opens.share);
      else judgeRun(judging, rule);
    });
  judgePatterns(judging);
  announceLater(judging);
  remind(judging);
  state.resolved = state.resolved.filter(
    ({ resolvedAt = "" }) => Date.parse(resolvedAt) > nowMs - resolvedKeptMs,
  );
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

type Named = { endpoint: EndpointId; series: Series };
const listSeries = (judging: Judging, rule: AnyRule): Named[] =>
  endpointsOf(rule).map((endpoint) => ({ endpoint, series: seriesAt(judging.state, rule.id, endpoint) }));

// ------------------------------------------------------------------------------------------------ runs
function judgeRun(judging: Judging, rule: AnyRule): void {
  if (!rule.opens.run) return;
  for (const incident of openOf(judging, rule.id)) follow(judging, rule, incident);
  const known = openOf(judging, rule.id);
  const all = listSeries(judging, rule);
  const free = all.filter(
    ({ endpoint }) =>
      !known.some(({ endpoints }) => endpoints.includes(endpoint)) &&
      !firesAt(judging, rule.inhibitedBy ?? [], endpoint),
  );
  const bad = free.filter(({ series }) => series.bad);
  if (bad.length === 0) return;
  // Another endpoint is part of an incident when it became bad with it, or has the same key.
  for (const incident of known) {
    const joining = bad.filter((one) => one.series.bad!.count >= 2 && belongs(judging, rule, incident, one));
    if (joining.length > 0) {
      join(judging, rule, incident, joining);
      return;
    }
  }
  if (known.length > 0 && areBadTogether(judging, rule, all)) {
    // Everything is bad now: one incident takes the place of those of single endpoints, and its end ends these too.
    const bad = all.filter(({ series }) => series.bad);
    open(judging, rule, bad, known);
    return;
  }
  const opening = badEnough(judging, rule, free);
  if (opening.length === 0) return;
  const firstMs = onsetOf(opening);
  const wasGood = opening.some(({ series }) => goodBefore(series, firstMs) !== undefined);
  if (rule.opens.run.isAfterGood && !wasGood) return;
  if (rule.severity === "page" || isSettled(judging, rule, firstMs)) open(judging, rule, opening);
}

function belongs(
  judging: Judging,
  rule: AnyRule,
  incident: OpenIncident,
  { endpoint, series }: Named,
): boolean {
  // It was part of it before, and has not stayed good until its end.
  if (incident.announced.includes(endpoint)) return true;
  const onsetMs = Math.max(...partsOf(incident, incident.endpoints).map(({ firstMs }) => firstMs));
  const run = series.bad!;
  if (Math.abs(run.firstMs - onsetMs) <= togetherMs) return true;
  return rule.key !== undefined && rule.key(run.recent.at(-1)!.value, judging.nowMs) === incident.key;
}

/** The earliest onset within one round of the latest, so that an old fault of one endpoint does not backdate it. */
function onsetOf(opening: readonly Named[]): number {
  const firsts = opening.map(({ series }) => series.bad!.sinceMs ?? series.bad!.firstMs);
  const latestMs = Math.max(...firsts);
  return Math.min(...firsts.filter((ms) => ms >= latestMs - togetherMs));
}

/** What a run needs; more of it while a share of the checks of this endpoint is known to be bad. */
function needsOf(judging: Judging, rule: AnyRule, endpoint: EndpointId): RunLimit {
  const harder = rule.harder?.find((one) => firesAt(judging, [one.while], endpoint));
  return harder ?? rule.opens.run!;
}

const spanMs = (run: Pick<Run, "firstMs" | "lastMs">) => run.lastMs - run.firstMs;

function isWhole(judging: Judging, rule: AnyRule, { endpoint, series }: Named): boolean {
  const run = series.bad;
  if (!run) return false;
  const { checks, forMs } = needsOf(judging, rule, endpoint);
  const { samples = 1 } = rule.opens.run!;
  const isAboutSamples = hasSample(endpoint) && !run.hasUnsampled;
  return (
    run.count >= checks &&
    spanMs(run) >= neededMs(judging, forMs, rule.severity === "page") &&
    (!isAboutSamples || run.samples.length >= samples)
  );
}

/** Times that are made of extra checks. Longer ones are made of scheduled checks, whatever pageAfter says. */
const longestExtraMs = 30 * minuteMs;

/** alerts.pageAfter shortens or lengthens what a page needs; what a warning or an end needs it only shortens. */
function neededMs({ settings }: Judging, forMs: number, isPage: boolean): number {
  const ratio = (settings.pageAfterMs ?? thresholds.pageAfterMs) / thresholds.pageAfterMs;
  const wantedMs = forMs > longestExtraMs ? forMs : forMs * (isPage ? ratio : Math.min(1, ratio));
  return wantedMs - Math.min(scatter.maxMs, wantedMs * scatter.share);
}

function areBadTogether(judging: Judging, rule: AnyRule, among: readonly Named[]): boolean {
  const together = rule.opens.run?.together;
  const bad = among.filter(({ series }) => series.bad);
  if (!together || bad.length < together.endpoints) return false;
  if (!bad.every(({ series }) => series.bad!.count >= together.each)) return false;
  const harder = rule.harder?.find((one) =>
    bad.every(({ endpoint }) => firesAt(judging, [one.while], endpoint)),
  );
  const { checks, forMs } = harder ?? together;
  // An old fault of one endpoint proves nothing of the others.
  const onsetMs = Math.max(...bad.map(({ series }) => series.bad!.firstMs)) - togetherMs;
  const runs = bad.map(({ series }) => series.bad!);
  const firstMs = Math.min(...runs.map((run) => run.firstMs).filter((ms) => ms >= onsetMs));
  const lastMs = Math.max(...runs.map((run) => run.lastMs));
  const isRecent = bad.every(({ series }) => series.bad!.lastMs >= firstMs);
  const count = runs.reduce((total, run) => total + run.count, 0);
  return (
    isRecent && count >= checks && lastMs - firstMs >= neededMs(judging, forMs, rule.severity === "page")
  );
}

/** The series that open an incident now: those with a whole run and who is bad beside them, or all together. */
function badEnough(judging: Judging, rule: AnyRule, among: readonly Named[]): Named[] {
  const bad = among.filter(({ series }) => series.bad);
  if (areBadTogether(judging, rule, among)) return bad;
  const whole = bad.filter((one) => isWhole(judging, rule, one));
  if (whole.length === 0) return [];
  const firstMs = onsetOf(whole);
  return bad.filter(
    (one) =>
      whole.includes(one) ||
      (one.series.bad!.count >= 2 && Math.abs(one.series.bad!.firstMs - firstMs) <= togetherMs),
  );
}

/** A warning waits until every endpoint was looked at since the onset: its scope is told once, and right. */
function isSettled(judging: Judging, rule: AnyRule, sinceMs: number): boolean {
  if (judging.nowMs - sinceMs >= settledMs) return true;
  return listSeries(judging, rule).every(
    ({ series }) => series.marks.length === 0 || Math.abs(series.marks.at(-1)!) >= sinceMs,
  );
}

function countLabels({ labels = [] }: Series, fromMs: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { atMs, label } of labels) if (atMs >= fromMs) tally(counts, label);
  return counts;
}

/** Counted from the first bad mark of the incident on. */
function partOf({ series }: Named, fromMs: number): IncidentPart {
  const run = series.bad!;
  const own = series.marks.filter((mark) => Math.abs(mark) >= fromMs);
  const from = own.findIndex((mark) => mark < 0);
  const counted = from < 0 ? [] : own.slice(from);
  const firstMs = run.sinceMs ?? (counted.length > 0 ? Math.abs(counted[0]!) : run.firstMs);
  const bad = run.checks ?? counted.filter((mark) => mark < 0).length;
  return {
    firstMs,
    lastMs: run.lastMs,
    bad,
    total: run.checks ?? counted.length,
    goodSince: 0,
    recent: run.recent,
    labels: countLabels(series, firstMs),
    goodBeforeMs: goodBefore(series, firstMs),
    goodBeforeAllMs: goodBefore(series, fromMs),
  };
}

function open(
  judging: Judging,
  rule: AnyRule,
  opening: readonly Named[],
  replaced: OpenIncident[] = [],
): void {
  const firstMs = onsetOf(opening);
  const incident = begin(
    judging,
    rule,
    opening.map(({ endpoint }) => endpoint),
    Object.fromEntries(opening.map((one) => [one.endpoint, partOf(one, firstMs)])),
  );
  refresh(judging, rule, incident);
  if (rule.closes.calm !== undefined) continueFormer(judging, incident);
  nameIncident(judging, incident);
  incident.keysTold = [{ key: incident.key, atMs: judging.nowMs }];
  for (const other of replaced) {
    incident.replaces.push(...(other.sent.length > 0 ? [other.id] : []), ...other.replaces);
    incident.announced = sortEndpoints([...incident.announced, ...other.announced]);
    incident.former = { ...incident.former, ...formerParts(incident, other) };
    keepParts(incident, other.announced, other.parts);
    end(judging, other, incident.id);
  }
  incident.replaces = incident.replaces.slice(-20);
  // What takes the place of a page is not less than a page.
  if (rule.recurs && replaced.length === 0) expectWindow(judging, incident);
  announce(judging, incident);
}

const formerParts = (incident: OpenIncident, other: OpenIncident): NonNullable<OpenIncident["former"]> =>
  Object.fromEntries(
    other.endpoints.flatMap((endpoint) => {
      const [part, own] = [other.parts[endpoint], incident.parts[endpoint]];
      return part && own ? [[endpoint, { part, own: structuredClone(own) }]] : [];
    }),
  );

/** An endpoint that was bad before the others: when only it is left, its fault has its own onset and counts again. */
function restoreFormer(incident: OpenIncident): void {
  for (const endpoint of incident.endpoints) {
    const [former, now] = [incident.former?.[endpoint], incident.parts[endpoint]];
    if (!former || !now) continue;
    const { part, own } = former;
    const labels = { ...part.labels };
    for (const [label, count] of Object.entries(now.labels)) {
      const added = count - (own.labels[label] ?? 0);
      if (added > 0) labels[label] = (labels[label] ?? 0) + added;
    }
    incident.parts[endpoint] = {
      ...now,
      firstMs: part.firstMs,
      bad: part.bad + now.bad - own.bad,
      total: part.total + now.total - own.total,
      labels,
      goodBeforeMs: part.goodBeforeMs,
      goodBeforeAllMs: part.goodBeforeAllMs,
    };
  }
  incident.former = undefined;
}

/** What was counted of endpoints that were part of an earlier incident. */
function keepParts(incident: OpenIncident, names: readonly EndpointId[], parts: OpenIncident["parts"]): void {
  for (const endpoint of names) {
    const part = parts[endpoint];
    if (part && !incident.parts[endpoint]) incident.parts[endpoint] = part;
  }
}

function join(judging: Judging, rule: AnyRule, incident: OpenIncident, joining: readonly Named[]): void {
  const firstMs = Math.min(firstMsOf(incident), onsetOf(joining));
  for (const one of joining) incident.parts[one.endpoint] ??= partOf(one, firstMs);
  const names = joining.map(({ endpoint }) => endpoint);
  const wasWide = isWide({ endpoints: incident.announced });
  incident.endpoints = sortEndpoints([...incident.endpoints, ...names]);
  incident.announced = sortEndpoints([...incident.announced, ...names]);
  // It is about the endpoints that are bad now: those that have recovered are told in the end.
  refresh(judging, rule, incident);
  recause(judging, rule, incident, true);
  change(judging, incident, isWide(incident) && !wasWide);
}

/** What ended less than a day ago and is back with the same key comes and goes: one incident, until a calm day. */
function continueFormer(judging: Judging, incident: OpenIncident): void {
  const { state, nowMs } = judging;
  const former = state.ended.findLast(
    (one) => one.row === incident.row && one.endedMs > nowMs - dayMs && one.key === incident.key,
  );
  if (!former) return;
  keepParts(incident, former.endpoints, former.parts);
  incident.announced = sortEndpoints([...incident.announced, ...former.endpoints]);
  incident.endpoints = incident.announced;
  incident.isReturned = true;
}

/** Brings what is said of an incident (value, key, cause) up to the latest marks. */
function refresh(judging: Judging, rule: AnyRule, incident: OpenIncident): void {
  const parts = partsOf(incident, incident.endpoints);
  const latest = parts.toSorted((a, b) => b.lastMs - a.lastMs)[0]!;
  incident.value = latest.recent.at(-1)!.value;
  if (rule.key) incident.key = steadyKey(judging, rule, incident);
  if (rule.severityOf && incident.windowEndMs === undefined)
    incident.severity = rule.severityOf(incident.value);
  if (rule.name && incident.causes.length === 0) {
    incident.rule = rule.name(viewOf(judging, incident));
    incident.causes = [{ rule: incident.rule, fromMs: firstMsOf(incident) }];
  }
}

/** A new key is taken when two checks agree on it and all endpoints have it, or when they differ for good. */
function steadyKey({ nowMs }: Judging, rule: AnyRule, incident: OpenIncident): string {
  const rows = incident.endpoints.flatMap((endpoint) => {
    const part = incident.parts[endpoint];
    const keys = part?.recent.slice(-2).map(({ value, atMs }) => rule.key!(value, atMs)) ?? [];
    return keys.length > 0 ? [{ endpoint, keys, latest: keys.at(-1)! }] : [];
  });
  const different = [...new Set(rows.map(({ latest }) => latest))];
  const isAgreed = different.every(
    (key) => rows.flatMap(({ keys }) => keys).filter((one) => one === key).length >= 2,
  );
  incident.differSinceMs = different.length === 1 ? undefined : (incident.differSinceMs ?? nowMs);
  const isWaiting =
    !isAgreed || (incident.differSinceMs !== undefined && nowMs - incident.differSinceMs < settledMs);
  if (incident.key !== "" && isWaiting) return incident.key;
  if (different.length === 1) return different[0]!;
  const who = (key: string) => rows.filter(({ latest }) => latest === key).map(({ endpoint }) => endpoint);
  return different.map((key) => `${key} (${who(key).join(" and ")})`).join(", ");
}

function follow(judging: Judging, rule: AnyRule, incident: OpenIncident): void {
  const seriesOf = (endpoint: EndpointId) => seriesAt(judging.state, rule.id, endpoint);
  const members = incident.endpoints.map((endpoint) => ({ endpoint, series: seriesOf(endpoint) }));
  const isNoneBad = incident.announced.every((endpoint) => seriesOf(endpoint).bad === undefined);
  if (isNoneBad && isClosed(judging, rule, incident, members)) {
    end(judging, incident);
    if (rule.recurs) noteWindow(judging, incident);
    return;
  }
  const isRescoped = rescope(judging, rule, incident, members);
  const before = { key: incident.key, severity: incident.severity };
  refresh(judging, rule, incident);
  const isRecaused = recause(judging, rule, incident, isRescoped);
  // Where another cause shows, too, that is the news, as soon as further checks agree on it.
  const isRekeyed =
    before.key !== incident.key && incident.nextCause === undefined && isNews(judging, incident);
  const isRaised = rule.recurs === true && hasOutlasted(incident);
  const isWorse = isRaised || (before.severity !== "page" && incident.severity === "page");
  if (isRescoped || isRecaused || isRekeyed || isWorse) change(judging, incident, isWorse);
}

/** Good marks in a row on every endpoint, the latest check among them; more of them for what comes and goes. */
function isClosed(
  judging: Judging,
  rule: AnyRule,
  incident: OpenIncident,
  members: readonly Named[],
): boolean {
  const { checks = 1, forMs = 0, calm } = rule.closes;
  const runs = members.map(({ series }) => series.good);
  if (!runs.every((run) => run !== undefined && run.count >= checks)) return false;
  const isLatest = members.every(
    ({ endpoint, series }) =>
      rule.looksAt?.variants !== undefined ||
      rule.markTick !== undefined ||
      latestOf(judging.history, endpoint)?.atMs === series.good!.lastMs,
  );
  if (!isLatest) return false;
  const firstMs = Math.min(...runs.map((run) => run!.firstMs));
  const lastMs = Math.max(...runs.map((run) => run!.lastMs));
  // Longer than it ever was good in between.
  const factor = calm ?? (incident.comesAndGoes ? 1 : 0);
  const calmMs = factor > 0 ? factor * incident.stretchMs + 1 : 0;
  return lastMs - firstMs >= Math.min(dayMs, Math.max(neededMs(judging, forMs, false), calmMs));
}

/** Who recovered, while a later check shows that others did not. True when a smaller scope is to be told. */
function rescope(
  judging: Judging,
  rule: AnyRule,
  incident: OpenIncident,
  members: readonly Named[],
): boolean {
  // While a share is known to be bad, good checks in a row are chance as bad ones are.
  const recovered = members.filter(({ endpoint, series }) => {
    const harder = rule.harder?.find((one) => firesAt(judging, [one.while], endpoint));
    return (series.good?.count ?? 0) >= (harder?.checks ?? rule.closes.checks ?? 1);
  });
  const sinceMs = Math.min(...recovered.map(({ series }) => series.good!.firstMs));
  const left = members.filter(({ series }) => (series.bad?.count ?? 0) >= 2 && series.bad!.lastMs > sinceMs);
  if (recovered.length === 0 || left.length === 0) return false;
  if (left.length + recovered.length < members.length) return false;
  if (!isClosed(judging, rule, incident, recovered)) return false;
  // Longer than it was good in between; and what may come and go, for hours.
  const leastMs = rule.closes.calm === undefined ? incident.stretchMs : partGoneMs;
  if (!recovered.every(({ series }) => spanMs(series.good!) >= leastMs)) return false;
  incident.endpoints = left.map(({ endpoint }) => endpoint);
  restoreFormer(incident);
  return true;
}

/** Another cause is told when two further checks agree on it. */
function recause(judging: Judging, rule: AnyRule, incident: OpenIncident, isRescoped: boolean): boolean {
  if (!rule.name) return false;
  const { nowMs } = judging;
  const name: RuleId = rule.name(viewOf(judging, incident));
  if (name === incident.rule) {
    incident.nextCause = undefined;
    return false;
  }
  const { checks, lastMs = nowMs } = judging.history;
  if (incident.nextCause?.rule !== name) incident.nextCause = { rule: name, fromMs: lastMs, checks };
  const { fromMs, checks: before } = incident.nextCause;
  const isAgreed = lastMs - fromMs >= neededMs(judging, causeForMs, false) && checks - before >= causeChecks;
  if (!isRescoped && !isAgreed) return false;
  incident.rule = name;
  incident.causes = [...incident.causes, { rule: name, fromMs }].slice(-12);
  incident.nextCause = undefined;
  return true;
}

/** A key that was told before is news again only a day later: values of several backends take turns. */
function isNews({ nowMs }: Judging, incident: OpenIncident): boolean {
  const told = incident.keysTold.find(({ key }) => key === incident.key);
  incident.keysTold = [
    ...incident.keysTold.filter((one) => one !== told),
    { key: incident.key, atMs: nowMs },
  ].slice(-20);
  return told === undefined || nowMs - told.atMs > dayMs;
}

// ------------------------------------------------------------------------------------------------ shares
type CountedMark = StoredMark & { isBad: boolean; endpoint: EndpointId };

function judgeShare(judging: Judging, rule: AnyRule, levels: readonly ShareLevel[]): void {
  const { nowMs } = judging;
  const all = listSeries(judging, rule);
  const [incident] = openOf(judging, rule.id);
  const day: CountedMark[] = all
    .flatMap(({ endpoint, series }) => (series.window ?? []).map((mark) => ({ ...mark, endpoint })))
    .filter((mark) => mark.atMs > nowMs - dayMs && !isCovered(judging, rule, mark))
    .sort((a, b) => b.atMs - a.atMs);
  const level = levels.find(({ bad, of, share = 0 }) => {
    const window = of === undefined ? day : day.slice(0, of);
    const count = window.filter(({ isBad }) => isBad).length;
    return count >= bad && count >= share * window.length;
  });
  const isInRun = all.some(({ series }) => (series.bad?.count ?? 0) >= 2);
  if (!incident) {
    // About to be everything: runs go first.
    if (!level || (isInRun && !rule.opens.mayBeRun)) return;
    const opened = begin(judging, rule, [], {});
    countShare(judging, { rule, incident: opened, day, level });
    nameIncident(judging, opened);
    announce(judging, opened);
    return;
  }
  // While another incident covers its checks, nothing is known of the share; nor where few checks are left to count.
  if (incident.announced.some((endpoint) => firesAt(judging, rule.inhibitedBy ?? [], endpoint))) return;
  const bad = day.filter(({ isBad }) => isBad);
  const isOver =
    bad.length <= (rule.closes.bad ?? 0) &&
    day.length >= enoughMarks &&
    all.every(({ series }) => series.bad === undefined);
  if (isOver && areLatestGood(judging)) {
    end(judging, incident);
    return;
  }
  if (bad.length === 0) return;
  const isWorse = level?.severity === "page" && incident.severity !== "page";
  const { toldShare = 0, rule: toldRule } = incident;
  countShare(judging, { rule, incident, day, level: isWorse ? level : { bad: 0 } });
  const isDoubled = incident.toldShare! >= 2 * toldShare && bad.length > (incident.told?.bad ?? 0);
  const isWeekOld = nowMs - (incident.lastToldMs ?? nowMs) >= 7 * dayMs;
  if (isWorse || isDoubled || isWeekOld) change(judging, incident, isWorse);
  else {
    incident.toldShare = toldShare;
    incident.rule = toldRule;
  }
}

/** What is said of a share is said of its current window. */
function countShare(
  judging: Judging,
  {
    rule,
    incident,
    day,
    level,
  }: { rule: AnyRule; incident: OpenIncident; day: readonly CountedMark[]; level: ShareLevel },
): void {
  const window = level.of === undefined ? day : day.slice(0, level.of);
  const bad = window.filter(({ isBad }) => isBad);
  if (level.severity) incident.severity = level.severity;
  incident.endpoints = endpointIds.filter((endpoint) => bad.some((mark) => mark.endpoint === endpoint));
  incident.announced = sortEndpoints([...incident.announced, ...incident.endpoints]);
  const own = window.filter(({ endpoint }) => incident.endpoints.includes(endpoint));
  for (const endpoint of incident.endpoints) {
    const marks = own.filter((mark) => mark.endpoint === endpoint);
    const worst = marks.filter(({ isBad }) => isBad);
    incident.parts[endpoint] = {
      firstMs: worst.at(-1)!.atMs,
      lastMs: worst[0]!.atMs,
      bad: worst.length,
      total: marks.length,
      goodSince: 0,
      recent: worst.slice(0, 3).reverse(),
      labels: {},
    };
  }
  const labels: Record<string, number> = {};
  for (const { value } of bad) tally(labels, rule.label?.(value));
  incident.labels = labels;
  incident.lastBadMs = bad[0]!.atMs;
  incident.overMs = Math.max(0, own[0]!.atMs - own.at(-1)!.atMs);
  incident.value = bad[0]!.value;
  if (rule.name) incident.rule = rule.name(viewOf(judging, incident));
  // Since the first bad one: before it nothing was wrong.
  incident.toldShare = bad.length / own.filter(({ atMs }) => atMs >= bad.at(-1)!.atMs).length;
}

/** Inside an incident of a rule that inhibits it was told there, and counts in no share. */
function isCovered({ state }: Judging, rule: AnyRule, { endpoint, atMs }: CountedMark): boolean {
  return [...state.open, ...state.ended].some((incident) => {
    const part = rule.inhibitedBy?.includes(incident.row) ? incident.parts[endpoint] : undefined;
    const endedMs = "endedMs" in incident ? incident.endedMs : Infinity;
    return part !== undefined && atMs >= part.firstMs && atMs <= endedMs;
  });
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
  const { open: opened } = judging.state;
  const incident = begin(
    judging,
    rule,
    bad.map(({ endpoint }) => endpoint),
    Object.fromEntries(bad.map((one) => [one.endpoint, partOf(one, onsetOf(bad))])),
  );
  judging.state.open = opened.filter((one) => one !== incident);
  refresh(judging, rule, incident);
  nameIncident(judging, incident);
  const { openedAt: _, ...record } = toRecord(judging, incident);
  return [{ ...record, state: "pending" as const }];
}
