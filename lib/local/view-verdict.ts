// The one sentence at the top of the page, and its reasons.
import type { Outlook } from "../assess/outlook.ts";
import type { AssessState } from "../assess/state.ts";
import { plural } from "../assess/words.ts";
import type { Cause } from "../records/incident.ts";
import type { Tone, Verdict } from "./api-shapes.ts";
import { presentRows } from "./view-drift.ts";

const lifeWords: Partial<Record<Cause, string>> = {
  "retirement/gone": "V1 is gone",
  "access/retired-by-401": "V1 answers 401 to everybody",
  down: "V1 does not answer",
  "access/quota-exhausted": "V1 is alive, but our key's quota is used up",
  "access/key-revoked": "V1 is alive, but refuses our key",
  hostile: "V1 answers what is not safe to read",
  "data/fall-forward": "V1 answers in the shape of V2",
  "data/zero-stub": "V1 answers, but every score is 0",
  "monitor/no-secret": "V1 is not asked: there is no key to ask with",
};

const leavingWords: Record<Outlook["level"], string> = {
  calm: "shows no sign of leaving",
  watch: "may be leaving",
  warning: "is probably leaving",
  imminent: "is about to leave",
  retired: "has left",
};

export function readVerdict(state: AssessState, outlook: Outlook | undefined): Verdict {
  const open = Object.values(state.cases)
    .map(({ incident }) => incident)
    .filter((incident) => incident.state === "open");
  const grave = (Object.keys(lifeWords) as Cause[]).find((cause) =>
    open.some((one) => one.cause === cause && one.endpoints.length !== 1),
  );
  if (!outlook || state.observations === 0) {
    return {
      sentence: grave ? `${lifeWords[grave]}.` : "Nothing is known of V1 yet.",
      tone: grave ? "broken" : "unknown",
      level: "unknown",
      headline: "The first answers are on their way.",
      reasons: [],
    };
  }
  const { level, headline, date, dateSource, daysLeft, confidence, reasons, next } = outlook;
  return {
    sentence: composeSentence(state, outlook, grave),
    tone: toneOf(level, grave, open.length > 0 || presentRows(state, "breaking").length > 0),
    level,
    headline,
    ...(date !== undefined && { date }),
    ...(dateSource !== undefined && { dateSource }),
    ...(daysLeft !== undefined && { daysLeft }),
    confidence,
    reasons,
    ...(next && { next: next.text }),
  };
}

function toneOf(level: Outlook["level"], grave: Cause | undefined, isNoted: boolean): Tone {
  if (grave || level === "retired") return "broken";
  return isNoted || level === "warning" || level === "imminent" ? "look" : "ok";
}

/** "V1 is alive, as documented except 2 fields, and probably leaving in 47 days." */
function composeSentence(state: AssessState, outlook: Outlook, grave: Cause | undefined): string {
  const { level, daysLeft, dateState } = outlook;
  if (grave === "retirement/gone" || (level === "retired" && !grave)) return "V1 is gone.";
  const down = state.cases.down?.incident;
  const part = down?.state === "open" ? ` but for ${down.endpoints.join(" and ")}` : "";
  const life = grave ? (lifeWords[grave] ?? "") : `V1 is alive${part}`;
  const fields = new Set(presentRows(state, "breaking").map(({ finding }) => finding.path)).size;
  const shape = fields === 0 ? "as documented" : `as documented except ${plural(fields, "field")}`;
  const left =
    daysLeft === undefined || dateState !== "ahead"
      ? dateState === "passed-alive"
        ? " (its date has passed)"
        : ""
      : daysLeft === 0
        ? " today"
        : ` in ${plural(daysLeft, "day")}`;
  const leaving = level === "calm" ? leavingWords.calm : `${leavingWords[level].replace(/^is /, "")}${left}`;
  return grave === undefined
    ? `${life}, ${shape}, and ${leaving}.`
    : `${life}; it ${leavingWords[level]}${level === "calm" ? "" : left}.`;
}
