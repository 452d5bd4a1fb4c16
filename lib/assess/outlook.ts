// The risk of V1's retirement, derived from the same incidents as every message: the gravest signal decides.

import { thresholds } from "../config/thresholds.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Incident, RuleId } from "../records/incident.ts";
import { plural } from "../text.ts";
import { daysUntil, dayText, momentOf, momentText } from "../time.ts";
import {
  type AnnouncedDate,
  announcedDates,
  chooseRetirementDate,
  type RetirementDate,
} from "./retirement-date.ts";
import type { AssessSettings, AssessState } from "./state.ts";
import { textsOf } from "./text/rule-texts.ts";
import { whereText } from "./text/text.ts";

export const riskLevels = ["low", "elevated", "high", "imminent", "retired"] as const;
type RiskLevel = (typeof riskLevels)[number];

export type Outlook = {
  /** `unknown` where V1's data was not seen lately and nothing says that it ends. */
  level: RiskLevel | "unknown";
  /** One sentence, or two with the date. */
  headline: string;
  /** 2026-12-31 */
  date?: string | undefined;
  /** With its endpoints, where it is not the date of all: "2026-12-31 on passport-list". */
  dateText?: string | undefined;
  dateSource?: "configured" | "sunset" | undefined;
  /** Negative once the date is past. */
  daysLeft?: number | undefined;
  /** The closest step of the countdown that has been reached. */
  step?: number | undefined;
  dateState?: "ahead" | "passed" | undefined;
  /** Most important first. */
  reasons: string[];
  /** The next window in which V1 is likely to fail again. */
  next?: { from: string; until: string | null; text: string } | undefined;
};

/** The closest step that has been reached; undefined while the date is further away than the first. */
export function countdownStep(daysLeft: number): number | undefined {
  return [...thresholds.countdownDays].reverse().find((step) => Math.max(0, daysLeft) <= step);
}

type Signal = { level: RiskLevel; text: string; isConfigured?: boolean };

/** What a firing incident means for V1's end; rules without a row mean nothing for it. */
const riskOf: Partial<Record<RuleId, RiskLevel>> = {
  retired: "retired",
  gone: "imminent",
  "maybe-retired": "imminent",
  "serves-v2": "imminent",
  "stub-data": "imminent",
  "empty-list": "imminent",
  withdrawn: "high",
  "recurring-outages": "high",
  "error-envelope": "elevated",
  "not-json": "elevated",
  "access-refused": "elevated",
  deprecation: "elevated",
  "anonymous-refused": "elevated",
  "data-shrinking": "elevated",
  "sublist-empty": "elevated",
  "equal-scores": "elevated",
  "dates-without-values": "elevated",
  "dates-always-now": "elevated",
  "partly-frozen": "elevated",
  frozen: "elevated",
};

function signalsOf(incident: Incident): Signal[] {
  const { rule, facts, since } = incident;
  const text = `${textsOf(facts).title(false)}, since ${momentText(since)}`;
  // Where nobody can tell a refused key from a retirement, it is a first sign at the most.
  if (rule === "maybe-retired" && facts.anonymousBefore !== "served") return [{ level: "elevated", text }];
  const level = rule === "withdrawn" && facts.scope === "api" ? riskOf.gone : riskOf[rule];
  if (level) return [{ level, text }];
  const lastsMs = Date.parse(facts.lastBadAt) - Date.parse(since);
  return rule === "down" && lastsMs >= thresholds.retiredAfterMs ? [{ level: "elevated", text }] : [];
}

/** What V1 does instead of serving its data, when its end may have come; no endpoints are all of them. */
export type End = { text: string; endpoints: readonly EndpointId[] };

const endLevels: ReadonlySet<RiskLevel> = new Set(["imminent", "retired"]);

/** The ends that are seen now, the widest first. A date that passed is none: V1 may go on. */
export function readEnds({ incidents }: Pick<AssessState, "incidents">): End[] {
  return incidents
    .filter(({ state }) => state === "firing")
    .flatMap((incident) => {
      const { rule, facts, endpoints, since } = incident;
      const isEnd = rule === "withdrawn" || signalsOf(incident).some(({ level }) => endLevels.has(level));
      if (!isEnd) return [];
      return [{ text: `${textsOf(facts).title(false)}, since ${momentText(since)}`, endpoints }];
    })
    .sort((a, b) => widthOf(b) - widthOf(a));
}

/** Whether nothing of V1 is left. */
export const isWhole = (end: End): boolean => widthOf(end) === endpointIds.length;

const widthOf = ({ endpoints }: End) => (endpoints.length === 0 ? endpointIds.length : endpoints.length);

/** The date that leads, and all that V1's headers announce. */
type KnownDates = { best: RetirementDate & { announced?: AnnouncedDate | undefined }; all: AnnouncedDate[] };

/** Of what V1 announces, the earliest date that is ahead leads; the earliest one where all have passed. */
function findDates(
  firing: readonly Incident[],
  configured: string | undefined,
  nowMs: number,
): KnownDates | undefined {
  const all = announcedDates(firing);
  const announced = all.find(({ dateMs }) => dateMs > nowMs) ?? all[0];
  const best = chooseRetirementDate(configured, announced?.dateMs, nowMs);
  if (!best) return undefined;
  return best.source === "sunset" ? { best: { ...best, announced }, all } : { best, all: [] };
}

/** " on passport-list", where it is not the date of every endpoint. */
const onEndpoints = (announced: AnnouncedDate | undefined): string =>
  announced && announced.endpoints.length < endpointIds.length ? ` on ${whereText(announced.endpoints)}` : "";

/** Where V1 is gone already, nobody counts the days to the date. */
function dateSignal(
  dateMs: number,
  announced: AnnouncedDate | undefined,
  { nowMs, isGone }: { nowMs: number; isGone: boolean },
): Signal {
  const days = daysUntil(dateMs, nowMs);
  const isConfigured = announced === undefined;
  const by = isConfigured ? "the configuration" : "its Sunset header";
  const where = onEndpoints(announced);
  if (dateMs <= nowMs) {
    const ago = days === 0 ? "today" : `${plural(-days, "day")} ago`;
    const level = -days > thresholds.outlivedDays ? "high" : "imminent";
    return { level, text: `its date ${dayText(dateMs)}${where}, by ${by}, passed ${ago}`, isConfigured };
  }
  const level =
    days <= thresholds.imminentDays ? "imminent" : days <= thresholds.highDays ? "high" : "elevated";
  const named = `${by} names ${dayText(dateMs)}${where}`;
  const text = isGone ? named : `${named}: ${plural(days, "day")} from now`;
  return { level, text, isConfigured };
}

const headlines: Record<RiskLevel, string> = {
  low: "V1 shows no retirement signals.",
  elevated: "V1 shows first retirement signals.",
  high: "V1 is likely to be retired.",
  imminent: "V1's retirement is imminent, or may have happened.",
  retired: "V1 is retired.",
};

export function readOutlook(
  state: AssessState,
  settings: Pick<AssessSettings, "retirementDate">,
  nowMs: number,
): Outlook {
  const firing = state.incidents.filter((incident) => incident.state === "firing");
  const dates = findDates(firing, settings.retirementDate, nowMs);
  const date = dates?.best;
  const undated = firing.find(({ rule, facts }) => rule === "sunset" && facts.dates === undefined);
  const now = { nowMs, isGone: readEnds(state).some(isWhole) };
  const signals: Signal[] = [
    ...firing.flatMap((incident) => signalsOf(incident)),
    ...(date?.source === "configured" ? [dateSignal(date.dateMs, undefined, now)] : []),
    ...(dates?.all ?? []).map((one) => dateSignal(one.dateMs, one, now)),
    ...(undated ? [{ level: "elevated" as const, text: textsOf(undated.facts).title(false) }] : []),
  ].sort((a, b) => riskLevels.indexOf(b.level) - riskLevels.indexOf(a.level));
  const isRetired = signals[0]?.level === "retired";
  const next = firing.find(({ rule }) => rule === "recurring-outages")?.facts.next;
  const level = signals[0]?.level ?? (isSeen(state, nowMs) ? "low" : "unknown");
  const daysLeft = date && daysUntil(date.dateMs, nowMs);
  const step = daysLeft === undefined ? undefined : countdownStep(daysLeft);
  return {
    level,
    headline: level === "unknown" ? unknownText(state) : describeRisk(level, signals, date, nowMs),
    date: date && dayText(date.dateMs),
    dateText: date && `${dayText(date.dateMs)}${onEndpoints(date.announced)}`,
    dateSource: date?.source,
    dateState: date && (date.dateMs > nowMs ? "ahead" : "passed"),
    daysLeft,
    step,
    reasons: signals.length > 0 ? signals.map(({ text }) => text) : level === "low" ? lowReasons(state) : [],
    next:
      next && !isRetired
        ? {
            from: next.from,
            until: next.until,
            text: `a further outage is likely after ${momentText(next.after)}, at or before ${momentText(next.from)}`,
          }
        : undefined,
  };
}

/** What V1 shows, and the date with whoever named it. A date that only the team has named is no signal of V1. */
function describeRisk(
  level: RiskLevel,
  signals: readonly Signal[],
  date: KnownDates["best"] | undefined,
  nowMs: number,
): string {
  const isOfV1 = signals.some((signal) => signal.level === level && !signal.isConfigured) || !date;
  if (!isOfV1)
    return `The configuration says that V1 ${date.dateMs > nowMs ? "ends" : "ended"} on ${dayText(date.dateMs)}.`;
  if (!date || level === "retired") return headlines[level];
  const by = date.source === "configured" ? "The configuration" : "Its Sunset header";
  return `${headlines[level]} ${by} names ${dayText(date.dateMs)}${onEndpoints(date.announced)}.`;
}

const lastSeenMs = ({ history }: AssessState): number =>
  Math.max(0, ...endpointIds.map((endpoint) => history.endpoints[endpoint]?.servedMs ?? 0));

/** V1's data was seen lately, and nothing keeps us from checking. */
function isSeen(state: AssessState, nowMs: number): boolean {
  const isBlind = state.incidents.some(
    ({ state: name, rule, scope }) =>
      name === "firing" &&
      (rule === "no-secret" ||
        rule === "address-refused" ||
        rule === "proxy-failed" ||
        (rule === "silent" && scope === "api")),
  );
  return !isBlind && lastSeenMs(state) > nowMs - thresholds.unknownAfterMs;
}

function unknownText(state: AssessState): string {
  const seenMs = lastSeenMs(state);
  if (seenMs > 0) return `The risk is unknown: V1's data was last seen on ${momentOf(seenMs)}.`;
  return state.observations > 0
    ? "The risk is unknown: V1 has served no data yet."
    : "The risk is unknown: V1 was not checked yet.";
}

function lowReasons(state: AssessState): string[] {
  const since = state.firstAt ? ` since ${momentText(state.firstAt)}` : "";
  return [
    `no Sunset or Deprecation header is confirmed in ${plural(state.observations, "observation")}${since}`,
    "no recurring outages, no withdrawn endpoint, no stub data and no frozen data is known",
  ];
}
