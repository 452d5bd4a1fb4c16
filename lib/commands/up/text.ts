// Renders the output of `up`.

import type { AssessState } from "../../assess/state.ts";
import { firingIncidents } from "../../assess/verdict.ts";
import type { IncidentView, Verdict } from "../../local/server/api-schemas.ts";
import type { Degraded, Unsaved, WatchTick } from "../../local/watch.ts";
import { type Alert, textOf } from "../../records/alert.ts";
import { isAboutV1, labelOutcome } from "../../records/outcome.ts";
import { plural } from "../../text.ts";
import { minuteText } from "../../time.ts";

/** The severity of the worst firing incident stands before the headline, where it is coloured. */
const severityOf = ([worst]: readonly Pick<IncidentView, "severity">[]) =>
  worst ? `${worst.severity.toUpperCase()}: ` : "";

/** `refusedWhy`: why the store has refused what is still in memory. */
export function describeStop({ saved, lost, ticks }: Unsaved, refusedWhy: string | undefined): string {
  const missing = lost + ticks.flat().length;
  const all = plural(saved + missing, "observation");
  if (missing > 0)
    return `Stopped. ${missing} of the ${all} of this run ${missing === 1 ? "is" : "are"} not stored${refusedWhy === undefined ? "" : ` (${refusedWhy})`}, and lost.`;
  if (saved === 1) return "Stopped. The only observation of this run is stored.";
  return saved > 0
    ? `Stopped. All ${all} of this run are stored.`
    : "Stopped. No check was made in this run.";
}

const renderDegraded = ({ what, why }: Degraded) => `DEGRADED: ${what} (${why})`;

/** One log line per tick. */
export function renderTick({ tickMs, observations, degraded }: WatchTick): string {
  const results = observations.map((observation) => {
    const { endpoint, variant, outcome, timings, findings } = observation;
    const breaking = findings.filter(({ level }) => level === "breaking").length;
    const time = isAboutV1(observation) ? ` ${Math.round(timings.totalMs)} ms` : "";
    const drift = breaking > 0 ? `, ${plural(breaking, "breaking difference")}` : "";
    const name = variant === "authenticated" ? endpoint : `${endpoint} (${variant})`;
    return `${name} ${labelOutcome(outcome)}${time}${drift}`;
  });
  const warning = degraded ? renderDegraded(degraded) : "";
  const text = [...results, warning].filter(Boolean).join(" · ");
  return text ? `${new Date(tickMs).toISOString().slice(0, 19).replace("T", " ")}  ${text}\n` : "";
}

const renderAlertLine = ({ at, severity, event, subject }: Alert) =>
  `${minuteText(at)}     ${severity.toUpperCase().padEnd(7)} ${event.padEnd(9)} ${subject}\n`;

export const renderAlert = (alert: Alert) =>
  `\n${renderAlertLine(alert)}${textOf(alert).trimEnd().replace(/^/gm, "    ")}\n\n`;

export function renderVerdict(state: AssessState, verdict: Verdict): string {
  const open = firingIncidents(state);
  const reasons =
    verdict.level === "low" ? "" : verdict.reasons.map((reason) => `  reason\t${reason}\n`).join("");
  const counted = open.length > 0 ? ` ${plural(open.length, "firing incident")}.` : "";
  return `${severityOf(open)}${verdict.sentence}${counted}\n${reasons}`;
}
