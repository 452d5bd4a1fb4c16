// v1watch status: what is known of V1 now, in four parts.
import { Argument } from "commander";
import { titleOf } from "../../assess/alerts/render-alert.ts";
import { byWorst, firingIncidents } from "../../assess/verdict.ts";
import type { Incident } from "../../records/incident.ts";
import { type Level, levels } from "../../records/observation.ts";
import { plural } from "../../text.ts";
import { momentText } from "../../time.ts";
import { choice, defineCommand, exitCodes, type Io, UsageError } from "../command.ts";
import { print, printJson } from "../layout.ts";
import { type AssessedWatch, withAssessment } from "../open-watch.ts";
import { json, watchOptions } from "../shared-options.ts";
import { driftJson, isBroken, isJudged, readDrift, renderDrift, summariseDrift } from "./drift.ts";
import { renderRisk, riskCode } from "./risk.ts";
import { renderUndocumented, summariseUndocumented, undocumentedJson } from "./undocumented.ts";

export const status = defineCommand({
  description:
    "Prints the retirement risk of V1 with its reasons, the firing incidents, the differences from V1's document, and what was observed of its undocumented behaviour. With a PART, prints that part in full. risk: low, elevated, high, imminent, retired, or unknown until V1 has returned data or a retirement signal. drift: when each difference was first and last seen (UTC), its share of the responses, and its id. undocumented: each question that V1's document leaves open, as open, observed or CHANGED.",
  arguments: [new Argument("[part]", "only this part, in full").choices(["risk", "drift", "undocumented"])],
  options: { ...watchOptions, level: choice("<LEVEL>", "drift: only this level", levels), json },
  notes: [
    "Exit codes: 0 nothing to do; 1 an incident is firing, the risk is high or worse, or there is a breaking change that is not muted; 2 no data yet, or usage error. A difference that was there at the first check is not a change.",
    "Example: v1watch status drift --level breaking",
  ],
  async run(values, [part], io) {
    if (values.level !== undefined && part !== "drift")
      throw new UsageError("--level belongs to the drift: v1watch status drift --level LEVEL");
    const show = (value: unknown, render: () => string) =>
      values.json ? printJson(io, value) : print(io, render());
    return withAssessment(values, io, (assessed) =>
      part === "risk"
        ? showRisk(assessed, show)
        : part === "drift"
          ? showDrift(assessed, values, io)
          : part === "undocumented"
            ? showUndocumented(assessed, show)
            : showAll(assessed, show),
    );
  },
});

/** Prints the value as JSON, or as the text for people. */
type Show = (value: unknown, render: () => string) => void;

function showRisk({ outlook }: AssessedWatch, show: Show): number {
  show(outlook, () => renderRisk(outlook));
  return riskCode(outlook);
}

function showUndocumented({ state }: AssessedWatch, show: Show): number {
  show(undocumentedJson(state), () => renderUndocumented(state));
  return exitCodes.success;
}

async function showDrift(
  assessed: AssessedWatch,
  { level, json: isJson }: { level: Level | undefined; json: boolean },
  io: Io,
): Promise<number> {
  const { state } = assessed;
  const drift = await readDrift(assessed, level);
  if (isJson) printJson(io, driftJson(drift));
  if (!isJudged(state)) {
    const checks = plural(state.observations, "check");
    throw new UsageError(
      `no response could be validated yet: none of ${checks} returned V1 data. Run \`v1watch status risk\` for the reasons.`,
    );
  }
  if (!isJson) print(io, renderDrift(drift, state.drift, level));
  return isBroken(drift) ? exitCodes.findings : exitCodes.success;
}

async function showAll(assessed: AssessedWatch, show: Show): Promise<number> {
  const { outlook, state, nowMs } = assessed;
  const drift = await readDrift(assessed);
  const firing = firingIncidents(state).sort(byWorst);
  const all = {
    risk: outlook,
    incidents: firing,
    drift: driftJson(drift),
    undocumented: undocumentedJson(state),
  };
  show(all, () =>
    [
      renderRisk(outlook),
      renderFiring(firing, nowMs),
      summariseDrift(drift, state),
      summariseUndocumented(state),
      "In full: v1watch status risk, status drift, status undocumented, and v1watch incidents.",
      "",
    ].join("\n"),
  );
  return firing.length > 0 || isBroken(drift) ? exitCodes.findings : riskCode(outlook);
}

function renderFiring(firing: readonly Incident[], nowMs: number): string {
  if (firing.length === 0) return "No incident is firing.\n";
  const now = new Date(nowMs).toISOString();
  return [
    `${plural(firing.length, "incident is", "incidents are")} firing, as of ${momentText(now)}.`,
    ...firing.map(
      (incident) => `  ${incident.severity}\t${titleOf(incident)}; since ${momentText(incident.since)}`,
    ),
    "",
  ].join("\n");
}
