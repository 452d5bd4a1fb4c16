// The verdict at the top of the page: one sentence about V1, the retirement risk and its reasons.

import { plural } from "../../assess/alerts/text.ts";
import type { Outlook } from "../../assess/outlook/outlook.ts";
import type { AssessState } from "../../assess/state.ts";
import type { Tone, Verdict } from "../server/api-schemas.ts";
import { presentRows } from "./drift.ts";
import { retiredText } from "./endpoint-fault.ts";
import { describeOutage, findOutage, readUnconfirmed, type Unconfirmed } from "./unconfirmed.ts";

type Level = Verdict["level"];

/** The retirement risk as people read it. */
export const riskNames: Record<Level, string> = {
  calm: "low",
  watch: "elevated",
  warning: "high",
  imminent: "imminent",
  retired: "retired",
  unknown: "unknown",
};

const retirementTexts: Partial<Record<Level, string>> = {
  calm: "no retirement signals",
  watch: "retirement is possible",
  warning: "retirement is likely",
  imminent: "retirement is imminent",
  retired: "it is retired",
};

const levelTones: Record<Level, Tone> = {
  unknown: "unknown",
  calm: "ok",
  watch: "ok",
  warning: "warning",
  imminent: "warning",
  retired: "critical",
};

const unknown = {
  level: "unknown" as Level,
  headline: "Waiting for the first responses.",
  confidence: undefined,
  reasons: [],
};

export function readVerdict(state: AssessState, outlook: Outlook | undefined): Verdict {
  const open = Object.values(state.incidents)
    .map(({ incident }) => incident)
    .filter((incident) => incident.state === "open");
  const outage = findOutage(state, open);
  const known = state.observations > 0 ? outlook : undefined;
  const { level, headline, confidence, reasons } = known ?? unknown;
  const { date, dateSource, daysLeft, next } = known ?? {};
  const fault: Unconfirmed | undefined = outage
    ? { text: describeOutage(state, outage), affectsV1: true, isConfirmed: true }
    : level === "retired"
      ? { text: retiredText, affectsV1: true, isConfirmed: true }
      : readUnconfirmed(state, open);
  const levelTone = levelTones[level];
  const needsAttention = fault !== undefined || open.length > 0 || presentRows(state, "breaking").length > 0;
  const isCritical = (fault?.affectsV1 && fault.isConfirmed) || levelTone === "critical";
  return {
    sentence: composeSentence(state, known, fault),
    tone: isCritical ? "critical" : needsAttention ? "warning" : levelTone,
    ...(fault && { trouble: fault.text }),
    level,
    levelTone,
    headline,
    ...(date !== undefined && { date }),
    ...(dateSource !== undefined && { dateSource }),
    ...(daysLeft !== undefined && { daysLeft }),
    ...(confidence !== undefined && { confidence }),
    reasons,
    ...(next && { next: next.text }),
  };
}

/** "V1 is up and responds as documented except for 2 fields; retirement is likely (in 47 days)." */
function composeSentence(
  state: AssessState,
  outlook: Outlook | undefined,
  fault: Unconfirmed | undefined,
): string {
  const fields = new Set(presentRows(state, "breaking").map(({ finding }) => finding.path)).size;
  const drift = fields === 0 ? "as documented" : `as documented except for ${plural(fields, "field")}`;
  const retirement = outlook && describeRetirement(outlook);
  // An unconfirmed fault may be the first retirement signal, so "no retirement signals" is left out then.
  const showsRetirement =
    retirement !== undefined && (fault?.isConfirmed !== false || outlook?.level !== "calm");
  if (fault?.text === retiredText) return `${fault.text}.`;
  if (fault?.affectsV1) return showsRetirement ? `${fault.text}; ${retirement}.` : `${fault.text}.`;
  if (!fault && !showsRetirement) return outlook?.headline ?? "No data about V1 yet.";
  const availability = fault ? `${fault.text}; otherwise ${drift}` : `V1 is up and responds ${drift}`;
  return showsRetirement ? `${availability}; ${retirement}.` : `${availability}.`;
}

/** "retirement is likely (in 47 days)" */
function describeRetirement({ level, daysLeft, dateState }: Outlook): string | undefined {
  const text = retirementTexts[level];
  if (text === undefined || level === "calm") return text;
  if (dateState === "passed-alive" || dateState === "passed-silent")
    return `${text} (the retirement date has passed)`;
  if (daysLeft === undefined || dateState !== "ahead") return text;
  return `${text} (${daysLeft === 0 ? "today" : `in ${plural(daysLeft, "day")}`})`;
}
