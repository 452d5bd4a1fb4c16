// v1watch status: what is known of V1 now, in four parts.
import { titleOf } from "../../assess/alerts/render-alert.ts";
import { byWorst, firingIncidents } from "../../assess/verdict.ts";
import type { Incident } from "../../records/incident.ts";
import { levels } from "../../records/observation.ts";
import { plural } from "../../text.ts";
import { momentText } from "../../time.ts";
import { choiceOption, exitCodes, type Io, type Run, UsageError } from "../command.ts";
import { print } from "../layout.ts";
import { type OpenedWatch, openWatch } from "../open-watch.ts";
import { driftJson, isBroken, isJudged, readDrift, renderDrift, summariseDrift } from "./drift.ts";
import { renderRisk, riskCode } from "./risk.ts";
import { renderUndocumented, summariseUndocumented, undocumentedJson } from "./undocumented.ts";

export const status: Run = (values, [part], io) => {
  const level = values.level === undefined ? undefined : choiceOption(values, "level", "breaking", levels);
  if (level !== undefined && part !== "drift")
    throw new UsageError("--level belongs to the drift: v1watch status drift --level LEVEL");
  const isJson = values.json === true;
  return openWatch(values, io, async (watch) => {
    const { outlook, state } = watch;
    if (part === "risk") {
      show(outlook, isJson, io, () => renderRisk(outlook));
      return riskCode(outlook);
    }
    if (part === "undocumented") {
      show(undocumentedJson(state), isJson, io, () => renderUndocumented(state));
      return exitCodes.success;
    }
    const drift = await readDrift(watch, level);
    if (part === "drift") {
      if (isJson || isJudged(state))
        show(driftJson(drift), isJson, io, () => renderDrift(drift, state.drift, level));
      if (!isJudged(state)) {
        const checks = plural(state.observations, "check");
        io.err(
          `v1watch: no response could be validated yet: none of ${checks} returned V1 data. Run \`v1watch status risk\` for the reasons.\n`,
        );
        return exitCodes.usage;
      }
      return isBroken(drift) ? exitCodes.findings : exitCodes.success;
    }
    const firing = firingIncidents(state).sort(byWorst);
    const all = {
      risk: outlook,
      incidents: firing,
      drift: driftJson(drift),
      undocumented: undocumentedJson(state),
    };
    show(all, isJson, io, () =>
      [
        renderRisk(outlook),
        renderFiring(firing, watch),
        summariseDrift(drift, state),
        summariseUndocumented(state),
        "In full: v1watch status risk, status drift, status undocumented, and v1watch incidents.",
        "",
      ].join("\n"),
    );
    const risk = riskCode(outlook);
    if (firing.length > 0 || isBroken(drift) || risk === exitCodes.findings) return exitCodes.findings;
    return risk;
  });
};

function show(value: unknown, isJson: boolean, io: Io, render: () => string): void {
  if (isJson) io.out(`${JSON.stringify(value, null, 2)}\n`);
  else print(io, render());
}

function renderFiring(firing: readonly Incident[], { nowMs }: Pick<OpenedWatch, "nowMs">): string {
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
