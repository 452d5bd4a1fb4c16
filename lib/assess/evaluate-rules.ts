// At the end of a tick: every cause, and whether it is so. One row a cause; wider causes come first.
import { endpointIds } from "../contract/endpoints.ts";
import type { Cause, Severity } from "../records/incident.ts";
import { describeImpact } from "./alerts/impact.ts";
import { plural } from "./alerts/text.ts";
import { dayText, endpointsText } from "./date-text.ts";
import { activeChanges, type DriftRow } from "./drift-history.ts";
import type { Signal } from "./incidents.ts";
import { formOutlook, type Outlook } from "./outlook/outlook.ts";
import { type AccessVerdict, isAccessRestored, judgeAccess } from "./rules/access/access.ts";
import { type AccessState, isRefusedNow } from "./rules/access/runs.ts";
import {
  judgeDown,
  judgeFlaky,
  judgeSilent,
  judgeSlow,
  judgeUnsafe,
  type Trouble,
} from "./rules/availability.ts";
import { type DataVerdict, judgeDataHealth } from "./rules/data-health.ts";
import type { BestDate } from "./rules/retirement/countdown.ts";
import { askedOf, type RetirementSigns, readSigns } from "./rules/retirement/retirement.ts";
import { type AssessSettings, type AssessState, isMuted } from "./state.ts";

const certificateWarnMs = 14 * 86_400_000;

/** It is not so, or this look says nothing of it. */
const calm = (cause: Cause, bad: false | undefined): Signal => ({
  cause,
  bad,
  class: "",
  severity: "info",
  endpoints: [],
  evidence: [],
});

const clip = (lines: readonly string[]) => lines.slice(0, 8).map((line) => line.slice(0, 200));

function signalTrouble(
  cause: Cause,
  trouble: Trouble | boolean | undefined,
  wide: Severity,
  narrow: Severity,
): Signal {
  if (typeof trouble !== "object") return calm(cause, trouble === false ? false : undefined);
  const { endpoints, isWide, evidence } = trouble;
  return {
    cause,
    bad: true,
    class: trouble.class,
    sinceMs: trouble.sinceMs,
    severity: isWide ? wide : narrow,
    endpoints,
    evidence: clip(evidence),
  };
}

const accessCauses = [
  "access/retired-by-401",
  "access/quota-exhausted",
  "access/key-revoked",
  "access/endpoint-withdrawn",
  "access/key-mandatory",
] as const;

function signalAccess(state: AccessState, verdicts: readonly AccessVerdict[]): Signal[] {
  return accessCauses.map((cause) => {
    const found = verdicts.filter((verdict) => verdict.cause === cause);
    if (found.length === 0) return calm(cause, isAccessRestored(state, cause, verdicts) ? false : undefined);
    const endpoints = endpointIds.filter((endpoint) =>
      found.some((verdict) => verdict.endpoints.includes(endpoint)),
    );
    // A 503 after a refusal does not confirm it.
    const isLatest = endpoints.some((endpoint) => isRefusedNow(state, endpoint));
    return {
      cause,
      bad: isLatest ? true : undefined,
      // One more endpoint that is withdrawn is told again.
      class: cause === "access/endpoint-withdrawn" ? endpoints.join(", ") : cause,
      severity: cause === "access/key-mandatory" ? "warning" : "page",
      endpoints,
      evidence: clip(found.flatMap(({ evidence }) => evidence)),
    };
  });
}

const dataCauses = ["data/serves-v2", "data/stub-data", "data/data-shrinking", "data/frozen"] as const;

function signalData(verdicts: readonly DataVerdict[]): Signal[] {
  return dataCauses.map((cause) => {
    const found = verdicts.find((verdict) => verdict.cause === cause);
    if (!found) return calm(cause, false);
    const isFakeOk = cause === "data/serves-v2" || cause === "data/stub-data";
    return {
      cause,
      // A guess may be the sample's fault: it is shown on the page and pages nobody.
      bad: found.certainty !== "guess",
      class: found.class ?? cause,
      sinceMs: found.sinceMs,
      severity: isFakeOk ? "page" : "warning",
      endpoints: found.endpoints,
      evidence: clip(found.evidence),
    };
  });
}

/** Within the bound of a class, and another one whenever a row comes or goes. */
function nameChanges(rows: readonly DriftRow[]): string {
  const text = rows.map(({ finding }) => `${finding.path} ${finding.kind}`).join("; ");
  if (text.length <= 200) return text;
  const latest = rows.reduce((last, { firstSeen }) => (firstSeen > last ? firstSeen : last), "");
  return `${text.slice(0, 120)}… ${rows.length} in all, the latest since ${latest}`;
}

function signalDrift(state: AssessState, settings: AssessSettings, nowMs: number): Signal {
  const rows = endpointIds
    .flatMap((endpoint) => activeChanges(state.drift, endpoint))
    .filter(({ finding }) => !isMuted(settings.decisions, finding.id, nowMs))
    .sort((a, b) => (a.finding.id < b.finding.id ? -1 : 1));
  if (rows.length === 0) return calm("drift/breaking", false);
  const shown = 7;
  return {
    cause: "drift/breaking",
    bad: true,
    sinceMs: Math.min(...rows.map(({ firstSeen }) => Date.parse(firstSeen))),
    class: nameChanges(rows),
    severity: "page",
    endpoints: endpointIds.filter((endpoint) => rows.some((row) => row.endpoint === endpoint)),
    evidence: clip([
      ...rows.slice(0, shown).map(({ finding }) => {
        const change =
          finding.kind === "missing" ? "missing" : `${finding.expected} became ${finding.observed}`;
        return `${finding.path}: ${change} (${finding.count} of ${finding.of}): ${describeImpact(finding)}`;
      }),
      ...(rows.length > shown ? [`and ${plural(rows.length - shown, "further change")}`] : []),
    ]),
  };
}

function signalMonitor(state: AssessState, nowMs: number): Signal[] {
  const { certificateMs, anonymous } = state.availability;
  const leftMs = certificateMs === undefined ? undefined : certificateMs - nowMs;
  const certificate: Signal =
    certificateMs === undefined || leftMs === undefined || leftMs > certificateWarnMs
      ? calm("monitor/certificate", certificateMs === undefined ? undefined : false)
      : {
          cause: "monitor/certificate",
          bad: true,
          class: new Date(certificateMs).toISOString().slice(0, 10),
          severity: leftMs < certificateWarnMs / 4 ? "page" : "warning",
          endpoints: [...endpointIds],
          evidence: [`V1's certificate is valid until ${new Date(certificateMs).toISOString().slice(0, 10)}`],
        };
  const secret: Signal =
    anonymous === 0
      ? calm("monitor/no-secret", false)
      : {
          cause: "monitor/no-secret",
          bad: true,
          class: "no-secret",
          severity: "page",
          endpoints: [],
          evidence: ["the key's source holds no key, so nothing was asked"],
        };
  return [certificate, secret];
}

/** Windows that look planned; below this they may be chance. */
const brownoutFrom = 0.5;
const brownoutUntil = 0.3;

const sayDate = ({ dateMs, endpoints, source }: BestDate) =>
  source === "configured"
    ? `the configured date ${dayText(dateMs)}`
    : `Sunset ${dayText(dateMs)} on ${endpointsText(endpoints)}`;

function signalGone({ gone, state }: RetirementSigns): Signal {
  // Another failure neither confirms an end nor takes it back: only a served answer does that.
  if (!gone)
    return calm("retirement/gone", askedOf(state).some(({ answer }) => answer === "ok") ? false : undefined);
  if (!gone.isLatest) return calm("retirement/gone", undefined);
  return {
    cause: "retirement/gone",
    bad: true,
    class: gone.class,
    sinceMs: gone.sinceMs,
    severity: "page",
    endpoints: gone.endpoints,
    evidence: [
      `the last ${plural(gone.responses, "answer")} on ${endpointsText(gone.endpoints)}: ${gone.class}`,
    ],
  };
}

function signalRetirement(signs: RetirementSigns): Signal[] {
  const { announced, countdown, brownouts } = signs;
  // V1's own date may lie before a configured one.
  const outlived = [countdown, announced].find((date) => date?.state === "passed-alive");
  const reasons = clip(brownouts.reasons);
  return [
    signalGone(signs),
    announced?.state === "ahead"
      ? {
          cause: "retirement/announced",
          bad: true,
          class: dayText(announced.dateMs),
          severity: "warning",
          endpoints: announced.endpoints,
          evidence: [`${sayDate(announced)}: ${plural(announced.daysLeft, "day")} from now`],
        }
      : calm("retirement/announced", announced ? undefined : false),
    outlived
      ? {
          cause: "retirement/date-passed",
          bad: true,
          class: dayText(outlived.dateMs),
          severity: "warning",
          endpoints: outlived.endpoints,
          evidence: [`${sayDate(outlived)} has passed, and V1 still answers`],
        }
      : // A V1 that is dead after its date has not got a new one.
        calm("retirement/date-passed", countdown && countdown.state !== "ahead" ? undefined : false),
    brownouts.confidence >= brownoutFrom
      ? {
          cause: "retirement/brownout",
          bad: true,
          class: "brownout",
          severity: "warning",
          endpoints: [...endpointIds],
          evidence: reasons,
        }
      : calm("retirement/brownout", brownouts.confidence > brownoutUntil ? undefined : false),
  ];
}

export type Reading = { signals: Signal[]; outlook: Outlook | undefined; signs: RetirementSigns | undefined };

export function readSignals(state: AssessState, settings: AssessSettings, nowMs: number): Reading {
  const { availability } = state;
  const data = state.data ? judgeDataHealth(state.data, nowMs, settings) : [];
  const access = state.access ? judgeAccess(state.access, nowMs) : [];
  const signs =
    state.retirement &&
    readSigns(state.retirement, { data, access }, nowMs, { date: settings.retirementDate });
  const signals = [
    ...(signs ? signalRetirement(signs) : []),
    signalTrouble("down", judgeDown(availability), "page", "warning"),
    ...signalAccess(state.access ?? {}, access),
    signalTrouble("unsafe-response", judgeUnsafe(availability), "page", "warning"),
    ...signalData(data),
    signalDrift(state, settings, nowMs),
    signalTrouble("slow", judgeSlow(availability), "warning", "info"),
    signalTrouble("network/flaky", judgeFlaky(availability), "warning", "warning"),
    ...signalMonitor(state, nowMs),
    signalTrouble("monitor/silent", judgeSilent(availability, settings.silentAfterMs), "page", "warning"),
  ];
  return { signals, signs, outlook: signs && formOutlook(signs) };
}
