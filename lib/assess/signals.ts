// At the end of a tick: every cause, and whether it is so. One row a cause; wider causes come first.
import { endpointIds } from "../contract/endpoints.ts";
import type { Cause, Severity } from "../records/incident.ts";
import { type AccessVerdict, judgeAccess } from "./access.ts";
import { judgeDown, judgeFlaky, judgeSilent, judgeSlow, judgeUnsafe, type Trouble } from "./availability.ts";
import { explainFinding } from "./consequences.ts";
import { type DataVerdict, judgeDataHealth } from "./data-health.ts";
import { activeChanges } from "./drift-ledger.ts";
import type { Signal } from "./incidents.ts";
import { formOutlook, type Outlook } from "./outlook.ts";
import { dayText, endpointsText } from "./phrases.ts";
import { type RetirementSigns, readSigns } from "./retirement.ts";
import { type AssessSettings, type AssessState, isMuted } from "./state.ts";
import { plural } from "./words.ts";

const certificateWarnMs = 14 * 86_400_000;

const calm = (cause: Cause, bad: false | undefined = false): Signal => ({
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

function signalAccess(verdicts: readonly AccessVerdict[]): Signal[] {
  return accessCauses.map((cause) => {
    const found = verdicts.filter((verdict) => verdict.cause === cause);
    if (found.length === 0) return calm(cause);
    return {
      cause,
      bad: true,
      class: cause,
      severity: cause === "access/key-mandatory" ? "warning" : "page",
      endpoints: endpointIds.filter((endpoint) =>
        found.some(({ endpoints }) => endpoints.includes(endpoint)),
      ),
      evidence: clip(found.flatMap(({ evidence }) => evidence)),
    };
  });
}

const dataCauses = ["data/fall-forward", "data/zero-stub", "data/shrunken", "data/frozen"] as const;

function signalData(verdicts: readonly DataVerdict[]): Signal[] {
  return dataCauses.map((cause) => {
    const found = verdicts.find((verdict) => verdict.cause === cause);
    if (!found) return calm(cause);
    const isSilentDeath = cause === "data/fall-forward" || cause === "data/zero-stub";
    return {
      cause,
      // A guess may be the sample's fault: it is shown on the page and pages nobody.
      bad: found.certainty === "guess" ? undefined : true,
      class: found.class ?? cause,
      sinceMs: found.sinceMs,
      severity: isSilentDeath ? "page" : "warning",
      endpoints: found.endpoints,
      evidence: clip(found.evidence),
    };
  });
}

function signalDrift(state: AssessState, settings: AssessSettings, nowMs: number): Signal {
  const rows = endpointIds
    .flatMap((endpoint) => activeChanges(state.drift, endpoint))
    .filter(({ finding }) => !isMuted(settings.decisions, finding.id, nowMs))
    .sort((a, b) => (a.finding.id < b.finding.id ? -1 : 1));
  if (rows.length === 0) return calm("drift/breaking");
  const shown = 7;
  return {
    cause: "drift/breaking",
    bad: true,
    sinceMs: Math.min(...rows.map(({ firstSeen }) => Date.parse(firstSeen))),
    class: rows
      .map(({ finding }) => `${finding.path} ${finding.kind}`)
      .join("; ")
      .slice(0, 200),
    severity: "page",
    endpoints: endpointIds.filter((endpoint) => rows.some((row) => row.endpoint === endpoint)),
    evidence: clip([
      ...rows.slice(0, shown).map(({ finding }) => {
        const change =
          finding.kind === "missing" ? "missing" : `${finding.expected} became ${finding.observed}`;
        return `${finding.path}: ${change} (${finding.count} of ${finding.of}): ${explainFinding(finding)}`;
      }),
      ...(rows.length > shown ? [`and ${plural(rows.length - shown, "further change")}`] : []),
    ]),
  };
}

function signalMonitor(state: AssessState, nowMs: number): Signal[] {
  const { certificateMs, keyless } = state.availability;
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
    keyless === 0
      ? calm("monitor/no-secret")
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

function signalRetirement({ gone, countdown, brownouts }: RetirementSigns): Signal[] {
  const date = countdown && dayText(countdown.dateMs);
  const announced = countdown && countdown.source !== "configured";
  const says = announced && `Sunset ${date} on ${endpointsText(countdown.endpoints)}`;
  const reasons = clip(brownouts.reasons);
  return [
    gone
      ? {
          cause: "retirement/gone",
          bad: true,
          class: gone.class,
          sinceMs: gone.sinceMs,
          severity: "page",
          endpoints: gone.endpoints,
          evidence: [
            `the last ${plural(gone.responses, "answer")} on ${endpointsText(gone.endpoints)}: ${gone.class}`,
          ],
        }
      : calm("retirement/gone"),
    announced && countdown.state === "ahead"
      ? {
          cause: "retirement/announced",
          bad: true,
          class: date!,
          severity: "warning",
          endpoints: countdown.endpoints,
          evidence: [`${says}: ${plural(countdown.daysLeft, "day")} from now`],
        }
      : calm("retirement/announced", announced ? undefined : false),
    countdown?.state === "passed-alive"
      ? {
          cause: "retirement/date-passed",
          bad: true,
          class: date!,
          severity: "warning",
          endpoints: countdown.endpoints,
          evidence: [`${announced ? says : `the configured date ${date}`} has passed, and V1 still answers`],
        }
      : calm("retirement/date-passed"),
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
    ...signalAccess(access),
    signalTrouble("hostile", judgeUnsafe(availability), "page", "warning"),
    ...signalData(data),
    signalDrift(state, settings, nowMs),
    signalTrouble("slow", judgeSlow(availability), "warning", "info"),
    signalTrouble("network/flaky", judgeFlaky(availability), "warning", "warning"),
    ...signalMonitor(state, nowMs),
    signalTrouble("monitor/silent", judgeSilent(availability, settings.silentAfterMs), "page", "warning"),
  ];
  return { signals, signs, outlook: signs && formOutlook(signs) };
}
