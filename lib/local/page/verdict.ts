// The one sentence at the top of the page, and its reasons.

import { plural } from "../../assess/alerts/text.ts";
import type { Outlook } from "../../assess/outlook/outlook.ts";
import type { AssessState } from "../../assess/state.ts";
import type { Tone, Verdict } from "../server/api-schemas.ts";
import { presentRows } from "./drift.ts";
import { goneWords } from "./failure.ts";
import { describeGrave, findGrave, readUnconfirmed, type Unconfirmed } from "./unconfirmed.ts";

type Level = Verdict["level"];

const leavingWords: Partial<Record<Level, string>> = {
  calm: "shows no sign of leaving",
  watch: "may be leaving",
  warning: "is probably leaving",
  imminent: "is about to leave",
  retired: "has left",
};

const levelTones: Record<Level, Tone> = {
  unknown: "unknown",
  calm: "ok",
  watch: "ok",
  warning: "look",
  imminent: "look",
  retired: "broken",
};

const unknown = {
  level: "unknown" as Level,
  headline: "The first answers are on their way.",
  confidence: undefined,
  reasons: [],
};

export function readVerdict(state: AssessState, outlook: Outlook | undefined): Verdict {
  const open = Object.values(state.incidents)
    .map(({ incident }) => incident)
    .filter((incident) => incident.state === "open");
  const grave = findGrave(state, open);
  const known = state.observations > 0 ? outlook : undefined;
  const { level, headline, confidence, reasons } = known ?? unknown;
  const { date, dateSource, daysLeft, next } = known ?? {};
  const unconfirmed: Unconfirmed | undefined = grave
    ? { life: describeGrave(state, grave), isWhole: true, isConfirmed: true }
    : level === "retired"
      ? { life: goneWords, isWhole: true, isConfirmed: true }
      : readUnconfirmed(state, open);
  const levelTone = levelTones[level];
  const isNoted = unconfirmed !== undefined || open.length > 0 || presentRows(state, "breaking").length > 0;
  const isAlarming = (unconfirmed?.isWhole && unconfirmed.isConfirmed) || levelTone === "broken";
  return {
    sentence: composeSentence(state, known, unconfirmed),
    tone: isAlarming ? "broken" : isNoted ? "look" : levelTone,
    ...(unconfirmed && { trouble: unconfirmed.life }),
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

/** "V1 is alive, as documented except 2 fields, and probably leaving in 47 days." */
function composeSentence(
  state: AssessState,
  outlook: Outlook | undefined,
  unconfirmed: Unconfirmed | undefined,
): string {
  const fields = new Set(presentRows(state, "breaking").map(({ finding }) => finding.path)).size;
  const shape = fields === 0 ? "as documented" : `as documented except ${plural(fields, "field")}`;
  const life = unconfirmed?.life ?? "V1 is alive";
  const leaving = outlook && describeLeaving(outlook);
  // What is not confirmed may be the first sign: nobody says here that there is none.
  const isSaid = leaving !== undefined && (unconfirmed?.isConfirmed !== false || outlook?.level !== "calm");
  if (life === goneWords) return `${life}.`;
  if (unconfirmed?.isWhole) return isSaid ? `${life}; it ${leaving}.` : `${life}.`;
  if (isSaid) return `${life}, ${shape}, and ${leaving.replace(/^is /, "")}.`;
  return unconfirmed
    ? `${life}, and otherwise ${shape}.`
    : (outlook?.headline ?? "Nothing is known of V1 yet.");
}

/** "is probably leaving in 47 days" */
function describeLeaving({ level, daysLeft, dateState }: Outlook): string | undefined {
  const words = leavingWords[level];
  if (words === undefined || level === "calm") return words;
  if (dateState === "passed-alive" || dateState === "passed-silent") return `${words} (its date has passed)`;
  if (daysLeft === undefined || dateState !== "ahead") return words;
  return `${words} ${daysLeft === 0 ? "today" : `in ${plural(daysLeft, "day")}`}`;
}
