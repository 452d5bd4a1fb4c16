// The one verdict on V1, made of evidence: up, a fault, or unknown. The dashboard, the terminal, the badge, /healthz, /metrics and the
// report only render it.

import { api, type EndpointId, endpointIds } from "../contract/endpoints.ts";
import {
  failureRules,
  type Incident,
  ownRules,
  type RuleId,
  type Severity,
  severities,
} from "../records/incident.ts";
import type { NotSentReason } from "../records/outcome.ts";
import type { ProbeState } from "../records/probe-state.ts";
import { listSome } from "../text.ts";
import { describeDuration, minuteMs, sinceText, timeText } from "../time.ts";
import type { History, NotSent } from "./checks/types.ts";
import { isWide } from "./engine/engine-state.ts";
import type { Outlook } from "./outlook.ts";
import type { AssessSettings, AssessState } from "./state.ts";
import { titleOf } from "./text/render-alert.ts";
import { textsOf } from "./text/rule-texts.ts";
import { isUnstored } from "./text/text.ts";

/** When checks are due: what decides how old the latest one may be. */
export type Schedule = {
  /** The time between two checks of an endpoint. */
  cadenceMs: number;
  /** The time between two checks of any endpoint. */
  everyMs: number;
  /** A check may be late by this. */
  lateMs: number;
  /** Until when V1 asked not to be requested (Retry-After). */
  waitsUntilMs: Partial<Record<EndpointId, number>>;
};

/** Settings of the first release know neither the cadence nor the deadline: a watch was silent after three cadences, or an hour. */
const usualLateMs = 70_000;

/** What the scheduler does now, as far as it was stored. */
export function readSchedule(
  {
    cadenceMs,
    lateMs = usualLateMs,
    silentAfterMs,
  }: Pick<AssessSettings, "cadenceMs" | "lateMs" | "silentAfterMs">,
  probeState: Pick<ProbeState, "cadenceMs" | "endpoints"> | undefined,
): Schedule {
  const calmMs = cadenceMs ?? silentAfterMs / 3;
  const inForceMs = Math.max(calmMs, probeState?.cadenceMs ?? 0);
  const waits = Object.entries(probeState?.endpoints ?? {}).map(([endpoint, { notBeforeMs }]) => [
    endpoint,
    notBeforeMs,
  ]);
  return {
    cadenceMs: inForceMs,
    // A cadence that is stretched leaves out slots, and not always those of every endpoint alike.
    everyMs: inForceMs > calmMs ? inForceMs : calmMs / endpointIds.length,
    lateMs,
    waitsUntilMs: Object.fromEntries(waits.filter(([, untilMs]) => untilMs !== undefined)),
  };
}

/** Evidence may always be this old, and its clock this far ahead of ours. */
const minAgeMs = 2 * minuteMs;

const ageLimitMs = (everyMs: number, { lateMs }: Schedule) => Math.max(2 * everyMs + lateMs, minAgeMs);

/** The latest checks of an endpoint. */
export type EndpointChecks = {
  endpoint: EndpointId;
  /** The latest check of any variant that was sent. */
  sentMs: number | undefined;
  /** The latest check that measures V1 and was served. */
  servedMs: number | undefined;
  /** Whether these are no older than the schedule allows. */
  isSentLately: boolean;
  isServedLately: boolean;
  /** Why the latest check that was due was not sent. */
  notSent: NotSent | undefined;
};

type When = { schedule: Schedule; nowMs: number };

function readChecks(history: History, { schedule, nowMs }: When): EndpointChecks[] {
  return endpointIds.map((endpoint) => {
    const { latest = {}, servedMs, notSent } = history.endpoints[endpoint] ?? {};
    const sent = Object.values(latest).map(({ atMs }) => atMs);
    const sentMs = sent.length > 0 ? Math.max(...sent) : undefined;
    // While V1 asks to wait, no check is due.
    const untilMs = Math.min(schedule.waitsUntilMs[endpoint] ?? 0, nowMs);
    const waitedMs = Math.max(0, untilMs - (sentMs ?? untilMs));
    const limitMs = ageLimitMs(schedule.cadenceMs, schedule) + waitedMs;
    const isLately = (atMs: number | undefined) =>
      atMs !== undefined && atMs - nowMs <= minAgeMs && nowMs - atMs <= limitMs;
    return {
      endpoint,
      sentMs,
      servedMs,
      isSentLately: isLately(sentMs),
      isServedLately: isLately(servedMs),
      notSent: isLately(notSent?.atMs) ? notSent : undefined,
    };
  });
}

/** What is known of the checks at an instant. */
type Looked = When & { checks: EndpointChecks[]; startedMs?: number | undefined };

/** The latest check of any endpoint; undefined where none was sent. */
function latestSentMs(checks: readonly EndpointChecks[]): number | undefined {
  const sent = checks.flatMap(({ sentMs }) => sentMs ?? []);
  return sent.length > 0 ? Math.max(...sent) : undefined;
}

/** Whether any check is recent: one of the endpoints is due in every slot. */
function isWatched({ checks, schedule, nowMs }: Looked): boolean {
  const latestMs = latestSentMs(checks);
  if (latestMs === undefined || latestMs - nowMs > minAgeMs) return false;
  const isWaiting = Object.values(schedule.waitsUntilMs).some((untilMs) => untilMs > latestMs);
  return isWaiting
    ? checks.some(({ isSentLately }) => isSentLately)
    : nowMs - latestMs <= ageLimitMs(schedule.everyMs, schedule);
}

const proven = Symbol("proven");

/** A recent check of every endpoint that was served. `proveUp` is the only one that makes it. */
export type UpEvidence = {
  readonly [proven]: true;
  readonly served: readonly { endpoint: EndpointId; atMs: number }[];
};

/** Why it is not known, and more about it: an age grows, the reason stays. */
type NotProven = { reason: string; more?: string };

function proveUp(looked: Looked): UpEvidence | NotProven {
  if (!isWatched(looked)) return describeNotSent(looked.checks) ?? describeNoCheck(looked);
  const served: { endpoint: EndpointId; atMs: number }[] = [];
  const missing: EndpointChecks[] = [];
  for (const one of looked.checks) {
    const { endpoint, servedMs, isServedLately } = one;
    if (servedMs !== undefined && isServedLately) served.push({ endpoint, atMs: servedMs });
    else missing.push(one);
  }
  if (missing.length === 0) return { [proven]: true, served };
  return describeNotSent(missing) ?? { reason: describeNotServed(missing, looked) };
}

const at = (ms: number, nowMs: number) => timeText(new Date(ms).toISOString(), new Date(nowMs).toISOString());
const ago = (ms: number, nowMs: number) => describeDuration((nowMs - ms) / 1_000);

const notSentTexts: Record<NotSentReason, string> = {
  budget: "the month's request budget is spent",
  "no-key": "there is no API key to send",
  address: "its address is refused, because it is loopback, private or link-local",
  proxy: "its proxy opens no connection",
  "no-sample": `there is no ${api.sample.nouns.one} to request`,
};

/** A check is due, and the watch itself does not send it. */
function describeNotSent(checks: readonly EndpointChecks[]): NotProven | undefined {
  const unsent = checks.filter(({ notSent }) => notSent !== undefined);
  const [first] = unsent;
  if (first?.notSent === undefined) return undefined;
  const { reason, cause } = first.notSent;
  const isAll = unsent.length === endpointIds.length;
  const where = isAll ? "V1" : unsent.map(({ endpoint }) => endpoint).join(", ");
  return {
    reason: `${where} is not checked: ${notSentTexts[reason]}${reason === "proxy" ? ` (${cause})` : ""}`,
  };
}

function describeNoCheck({ checks, schedule, nowMs, startedMs }: Looked): NotProven {
  const latestMs = latestSentMs(checks);
  if (latestMs === undefined) return { reason: "no request was sent to V1 yet" };
  if (latestMs > nowMs)
    return { reason: `the latest check is dated in the future, at ${at(latestMs, nowMs)}` };
  const reason = `no check since ${at(latestMs, nowMs)}`;
  const age = `${ago(latestMs, nowMs)} ago`;
  // A process that has just started has not been late yet.
  if (startedMs !== undefined && startedMs > latestMs)
    return { reason, more: `${age}; v1watch was started at ${at(startedMs, nowMs)} and has completed none` };
  const every = describeDuration(schedule.everyMs / 1_000);
  return { reason, more: `${age}; one was due every ${every}. Is the monitor running?` };
}

function describeNotServed(missing: readonly EndpointChecks[], { nowMs }: Looked): string {
  const texts = missing.map(({ endpoint, servedMs }) =>
    servedMs === undefined
      ? `${endpoint} was not served yet`
      : `${endpoint} was last served at ${at(servedMs, nowMs)}`,
  );
  return listSome(texts);
}

type Common = {
  headline: string;
  /** The headline without an age, which grows while nothing happens. */
  steady: string;
  /** A few words for a badge. */
  badge: string;
  /** How many fire. */
  firing: number;
  /** Not confirmed yet: seen, and too short or too seldom for an incident. */
  unconfirmed: Incident[];
  checks: EndpointChecks[];
  /** The latest check of any endpoint. */
  checkedMs: number | undefined;
};

export type Verdict = Common &
  (
    | { kind: "up"; evidence: UpEvidence; incident?: undefined }
    | { kind: "fault"; incident: Incident; evidence: UpEvidence | undefined }
    | { kind: "unknown"; reason: string; incident?: undefined }
  );

export const exitCodeOf = ({ kind }: Pick<Verdict, "kind">): 0 | 1 | 2 => exitCodes[kind];
const exitCodes = { up: 0, fault: 1, unknown: 2 } as const;

/** The severity of the leading incident; `ok` where V1 is up, `unknown` where that is not known. */
export const severityOf = (verdict: Verdict): Severity | "ok" | "unknown" =>
  verdict.kind === "fault" ? verdict.incident.severity : verdict.kind === "up" ? "ok" : "unknown";

/** 1 while every endpoint is served, 0 while V1 fails, undefined while neither is known. */
export function upValueOf(
  verdict: Verdict,
  { incidents }: Pick<AssessState, "incidents">,
): 0 | 1 | undefined {
  if (verdict.kind === "unknown") return undefined;
  if (firingIncidents({ incidents }).some(({ rule }) => failing.has(rule))) return 0;
  return verdict.evidence ? 1 : undefined;
}
const failing: ReadonlySet<RuleId> = new Set([...failureRules, "error-rate", "unauthorized-rate"]);

/** The worst first: severity, then the wider one, then the older one. */
export const byWorst = (a: Incident, b: Incident): number =>
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  Number(isWide(b)) - Number(isWide(a)) ||
  (a.since < b.since ? -1 : a.since > b.since ? 1 : a.id < b.id ? -1 : 1);

export const firingIncidents = ({ incidents }: Pick<AssessState, "incidents">): Incident[] =>
  incidents.filter(({ state }) => state === "firing").sort(byWorst);

export type VerdictInput = {
  state: AssessState;
  outlook: Outlook | undefined;
  schedule: Schedule;
  nowMs: number;
  /** When the monitor that asks was started; a command that only reads has no such time. */
  startedMs?: number | undefined;
};

/** What fires leads while V1 is seen, the worst first. An incident of V1 counts only where its endpoints were checked lately. */
export function readVerdict({ state, outlook, schedule, nowMs, startedMs }: VerdictInput): Verdict {
  const firing = firingIncidents(state);
  const unconfirmed = state.incidents.filter((incident) => incident.state === "pending").sort(byWorst);
  const checks = readChecks(state.history, { schedule, nowMs });
  const looked: Looked = { checks, schedule, nowMs, startedMs };
  const common = {
    firing: firing.length,
    unconfirmed,
    checks,
    checkedMs: latestSentMs(checks),
  };
  const proof = proveUp(looked);
  const evidence = "reason" in proof ? undefined : proof;
  const ofV1 = firing.filter(({ rule }) => !ownRules.has(rule));
  const current = ofV1.filter((incident) => isCurrent(incident, looked));
  const isSeen = evidence !== undefined || current.length > 0;
  const leading = isSeen
    ? firing.find((incident) => ownRules.has(incident.rule) || current.includes(incident))
    : undefined;
  if (leading) {
    const { text, age } = describeFault(leading, firing.length, looked);
    return {
      kind: "fault",
      incident: leading,
      evidence,
      headline: `${text}${age}`,
      steady: text,
      badge: leading.rule,
      ...common,
    };
  }
  if ("reason" in proof) {
    const { reason, more } =
      describeOutdated(ofV1, looked) ?? describeUnconfirmed(unconfirmed, looked) ?? proof;
    const headline = `Unknown: ${reason}${more === undefined ? "" : `, ${more}`}`;
    return { kind: "unknown", reason, headline, steady: `Unknown: ${reason}`, badge: "unknown", ...common };
  }
  const level = outlook?.level ?? "unknown";
  const [first] = unconfirmed;
  const headline = first
    ? `V1 is up. Not confirmed yet: ${titleOf(first)}`
    : `V1 is up. Retirement risk: ${level}.`;
  return {
    kind: "up",
    evidence: proof,
    headline,
    steady: headline,
    badge: `risk ${level}`,
    ...common,
  };
}

/** Whether a recent check was made where it fires. An API that is retired stays so, checked or not. */
function isCurrent({ rule, endpoints }: Incident, looked: Looked): boolean {
  if (rule === "retired") return true;
  const own = looked.checks.filter(({ endpoint }) => endpoints.length === 0 || endpoints.includes(endpoint));
  return isWatched(looked) && own.some(({ isSentLately }) => isSentLately);
}

/** `age` follows where nothing was checked for long. */
function describeFault(
  { rule, facts, state }: Incident,
  firing: number,
  looked: Looked,
): { text: string; age: string } {
  const { nowMs, checks } = looked;
  // Of what nothing was stored there is no first bad check: it lasts since the last check of all.
  const since = isUnstored(facts)
    ? at(Date.parse(facts.lastBadAt), nowMs)
    : sinceText(facts.lastGoodBeforeAt, facts.firstBadAt, new Date(nowMs).toISOString());
  const others = firing > 1 ? ` (and ${firing - 1} more)` : "";
  const latestMs = latestSentMs(checks);
  const isOld = rule === "retired" && !isWatched(looked) && latestMs !== undefined;
  const text = `${titleOf({ facts, state })} · since ${since}${others}`;
  if (!isOld) return { text, age: "" };
  return {
    text: `${text} · last checked at ${at(latestMs, nowMs)}`,
    age: `, ${ago(latestMs, nowMs)} ago`,
  };
}

/** The page that fired when V1 was last checked, in the past tense. */
function describeOutdated([worst]: readonly Incident[], { checks, nowMs }: Looked): NotProven | undefined {
  const latestMs = latestSentMs(checks);
  if (worst?.severity !== "page" || latestMs === undefined) return undefined;
  const title = textsOf(worst.facts).title(true);
  return {
    reason: `${title} when last checked at ${at(latestMs, nowMs)}`,
    more: `${ago(latestMs, nowMs)} ago`,
  };
}

/** What the latest checks got, and is too short for an incident. */
function describeUnconfirmed([worst]: readonly Incident[], looked: Looked): NotProven | undefined {
  return worst && isCurrent(worst, looked) ? { reason: `not confirmed yet: ${titleOf(worst)}` } : undefined;
}
