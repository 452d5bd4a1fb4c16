// v1watch status: what is known of V1 now, in four parts.
import { Argument } from "commander";
import { readGapEvidence } from "../../assess/gap-evidence.ts";
import { type Outlook, readEnds } from "../../assess/outlook.ts";
import { exitCodeOf, firingIncidents } from "../../assess/verdict.ts";
import type { Decision } from "../../records/incident.ts";
import { type Section, sentence } from "../../report/document.ts";
import { buildTimeLeft } from "../../report/model.ts";
import { composeTime } from "../../report/sections/first-page.ts";
import { composeGaps } from "../../report/sections/observed.ts";
import { renderText } from "../../report/text.ts";
import { plural } from "../../text.ts";
import { defineCommand, exitCodes, UsageError } from "../command.ts";
import { listIncidents } from "../incidents.ts";
import { print, printJson } from "../layout.ts";
import { type AssessedWatch, withAssessment } from "../open-watch.ts";
import { json, watchOptions } from "../shared-options.ts";
import { composeDriftOf, driftJson, isBroken, isJudged, readDrift, summariseDrift } from "./drift.ts";
import { composeVerdict, verdictJson } from "./verdict.ts";

export const status = defineCommand({
  description:
    "Prints whether V1 is up, has a fault or is unknown, and the age of each endpoint's last check. Then the retirement risk and its reasons, the firing incidents, the differences from V1's document, and what was observed of undocumented behaviour. With a PART, prints that part in full. risk: low, elevated, high, imminent, retired, or unknown until V1 has returned data or a retirement signal. drift: when each difference was first and last seen (UTC), its share of the responses, and its id. undocumented: each question that V1's document leaves open, as open, observed or CHANGED.",
  arguments: [new Argument("[part]", "only this part, in full").choices(["risk", "drift", "undocumented"])],
  options: { ...watchOptions, json },
  notes: [
    "Exit codes: 0 V1 is up and there is nothing to do; 1 an incident is firing, the risk is high or worse, or there is a breaking change that is not muted; 2 V1 is unknown because it was not checked lately or ever, or usage error. A difference that was there at the first check is not a change.",
    "Example: v1watch status drift",
  ],
  run: (values, [name = "all"], io) =>
    withAssessment(values, io, async (assessed) => {
      const part = parts[name as PartName](assessed, await assessed.watch.ledger.decisions());
      if (values.json) printJson(io, part.json);
      if (part.problem !== undefined) throw new UsageError(part.problem);
      if (!values.json) print(io, renderText(part.sections));
      return part.code;
    }),
});

type PartName = "all" | "risk" | "drift" | "undocumented";
type Part = {
  json: unknown;
  sections: readonly Section[];
  code: number;
  /** Why there is nothing to print for people. */
  problem?: string | undefined;
};

/** Where V1 is unknown, the part begins with that, and nothing to do is no success. */
function partOf({ verdict }: AssessedWatch, part: Part): Part {
  if (verdict.kind !== "unknown") return part;
  const code = part.code === exitCodes.success ? exitCodeOf(verdict) : part.code;
  return { ...part, sections: [{ title: "", blocks: [sentence(verdict.headline)] }, ...part.sections], code };
}

const parts: Record<PartName, (assessed: AssessedWatch, decisions: readonly Decision[]) => Part> = {
  risk: (assessed) =>
    partOf(assessed, {
      json: assessed.outlook,
      sections: [composeRisk(assessed)],
      code: riskCode(assessed.outlook),
    }),

  undocumented(assessed) {
    const { state } = assessed;
    const gaps = readGapEvidence(state.evidence);
    return partOf(assessed, {
      json: { since: state.firstAt, responses: state.observations, gaps },
      sections: [{ title: "Undocumented behaviour", blocks: composeGaps({ gaps }) }],
      code: exitCodes.success,
    });
  },

  drift(assessed, decisions) {
    const { state } = assessed;
    const rows = readDrift(assessed, decisions);
    const checks = plural(state.observations, "check");
    return partOf(assessed, {
      json: driftJson(rows),
      sections: [{ title: "", blocks: composeDriftOf(assessed, decisions) }],
      code: isBroken(rows) ? exitCodes.findings : exitCodes.success,
      problem: isJudged(state)
        ? undefined
        : `no response could be validated yet: none of ${checks} returned V1 data. Run \`v1watch status risk\` for the reasons.`,
    });
  },

  all(assessed, decisions) {
    const { outlook, state, verdict, nowMs } = assessed;
    const drift = readDrift(assessed, decisions);
    const gaps = readGapEvidence(state.evidence);
    return {
      json: {
        verdict: verdictJson(verdict),
        risk: outlook,
        incidents: firingIncidents(state),
        drift: driftJson(drift),
        undocumented: { since: state.firstAt, responses: state.observations, gaps },
      },
      sections: [
        { title: "", blocks: composeVerdict(verdict, nowMs) },
        composeRisk(assessed),
        ...listIncidents(assessed, decisions, false),
        { title: "Drift", blocks: summariseDrift(assessed, decisions) },
        { title: "Undocumented behaviour", blocks: composeGaps({ gaps }).slice(0, 1) },
        {
          title: "",
          blocks: [
            sentence(
              "In full: v1watch status risk, status drift, status undocumented, and v1watch incidents.",
            ),
          ],
        },
      ],
      code:
        verdict.kind !== "up"
          ? exitCodeOf(verdict)
          : isBroken(drift)
            ? exitCodes.findings
            : riskCode(outlook),
    };
  },
};

const composeRisk = ({ outlook, state }: Pick<AssessedWatch, "outlook" | "state">): Section =>
  composeTime(buildTimeLeft(outlook, readEnds(state)));

function riskCode({ level }: Outlook): number {
  if (level === "unknown") return exitCodes.usage;
  return level === "low" || level === "elevated" ? exitCodes.success : exitCodes.findings;
}
