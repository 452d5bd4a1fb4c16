// v1watch status: what is known of V1 now, in four parts.
import { Argument } from "commander";
import { titleOf } from "../../assess/alerts/render-alert.ts";
import { exitCodeOf, firingIncidents, type Verdict } from "../../assess/verdict.ts";
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
import { renderVerdict, verdictJson } from "./verdict.ts";

export const status = defineCommand({
  description:
    "Prints whether V1 is up, has a fault or is unknown, and the age of each endpoint's last check. Then the retirement risk and its reasons, the firing incidents, the differences from V1's document, and what was observed of undocumented behaviour. With a PART, prints that part in full. risk: low, elevated, high, imminent, retired, or unknown until V1 has returned data or a retirement signal. drift: when each difference was first and last seen (UTC), its share of the responses, and its id. undocumented: each question that V1's document leaves open, as open, observed or CHANGED.",
  arguments: [new Argument("[part]", "only this part, in full").choices(["risk", "drift", "undocumented"])],
  options: { ...watchOptions, level: choice("<LEVEL>", "drift: only this level", levels), json },
  notes: [
    "Exit codes: 0 V1 is up and there is nothing to do; 1 an incident is firing, the risk is high or worse, or there is a breaking change that is not muted; 2 V1 is unknown because it was not checked lately or ever, or usage error. A difference that was there at the first check is not a change.",
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

/** Where V1 is unknown, the part begins with that, and nothing to do is no success. */
const beginPart = ({ verdict }: AssessedWatch) =>
  verdict.kind === "unknown" ? `${verdict.headline}\n\n` : "";
const codeOfPart = ({ verdict }: AssessedWatch, code: number) =>
  verdict.kind === "unknown" && code === exitCodes.success ? exitCodeOf(verdict) : code;

function showRisk(assessed: AssessedWatch, show: Show): number {
  const { outlook } = assessed;
  show(outlook, () => beginPart(assessed) + renderRisk(outlook));
  return codeOfPart(assessed, riskCode(outlook));
}

function showUndocumented(assessed: AssessedWatch, show: Show): number {
  const { state } = assessed;
  show(undocumentedJson(state), () => beginPart(assessed) + renderUndocumented(state));
  return codeOfPart(assessed, exitCodes.success);
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
  if (!isJson) print(io, beginPart(assessed) + renderDrift(drift, state.drift, level));
  return codeOfPart(assessed, isBroken(drift) ? exitCodes.findings : exitCodes.success);
}

async function showAll(assessed: AssessedWatch, show: Show): Promise<number> {
  const { outlook, state, verdict, nowMs } = assessed;
  const drift = await readDrift(assessed);
  const firing = firingIncidents(state);
  const all = {
    verdict: verdictJson(verdict),
    risk: outlook,
    incidents: firing,
    drift: driftJson(drift),
    undocumented: undocumentedJson(state),
  };
  show(all, () =>
    [
      renderVerdict(verdict, nowMs),
      renderRisk(outlook),
      renderFiring(firing, verdict, nowMs),
      summariseDrift(drift, state),
      summariseUndocumented(state),
      "In full: v1watch status risk, status drift, status undocumented, and v1watch incidents.",
      "",
    ].join("\n"),
  );
  if (verdict.kind !== "up") return exitCodeOf(verdict);
  return isBroken(drift) ? exitCodes.findings : riskCode(outlook);
}

function renderFiring(firing: readonly Incident[], { kind }: Verdict, nowMs: number): string {
  if (firing.length === 0) return kind === "unknown" ? "" : "No incident is firing.\n";
  const now = new Date(nowMs).toISOString();
  const line =
    kind === "unknown"
      ? `${plural(firing.length, "incident has", "incidents have")} not ended.`
      : `${plural(firing.length, "incident is", "incidents are")} firing, as of ${momentText(now)}.`;
  return [
    line,
    ...firing.map(
      (incident) => `  ${incident.severity}\t${titleOf(incident)}; since ${momentText(incident.since)}`,
    ),
    "",
  ].join("\n");
}
