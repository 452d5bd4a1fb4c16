// v1watch incidents: prints what fires now and what fired before.

import { describeLength, titleOf } from "../assess/alerts/render-alert.ts";
import { ruleTexts } from "../assess/alerts/rule-texts.ts";
import { subscriptionWarning } from "../assess/alerts/scheduled-alerts.ts";
import { firingIncidents } from "../assess/verdict.ts";
import { printable } from "../config/config.ts";
import { findDecisions } from "../local/page/incidents.ts";
import type { Decision, Incident } from "../records/incident.ts";
import { describeMaintenance, maintenanceUntil } from "../records/maintenance.ts";
import { momentText } from "../time.ts";
import { type Command, colourLines, exitCodes } from "./command.ts";
import { openWatch, storeHelp, storeOptions } from "./open-watch.ts";

function renderIncident(incident: Incident, decisions: readonly Decision[], nowMs: number): string[] {
  const now = new Date(nowMs).toISOString();
  const state = incident.supersededBy ? `superseded by ${incident.supersededBy}` : incident.state;
  const decisionLines = findDecisions(incident, decisions, nowMs).map(
    ({ kind, reason, until }) => `${kind}${until ? ` until ${momentText(until)}` : ""}: ${printable(reason)}`,
  );
  return [
    `  ${incident.severity.padEnd(7)}  ${state.padEnd(8)}  ${incident.id}`,
    `           ${titleOf(incident)}; since ${momentText(incident.since)}, ${describeLength(incident.facts, now)}`,
    ...ruleTexts[incident.rule].facts(incident.facts, now).map((line) => `           ${line}`),
    ...decisionLines.map((line) => `           ${line}`),
  ];
}

export const incidents: Command = {
  name: "incidents",
  summary: "list firing incidents and, with --all, resolved ones",
  help: `v1watch incidents [--all] [--json]

Lists the firing incidents, the worst first, with their facts.

  --all           include resolved incidents
${storeHelp}

Exit codes: 0 none is firing, 1 at least one, 2 usage error.

Example: v1watch incidents --all
`,
  options: { ...storeOptions, all: { type: "boolean" } },
  run: (values, _positionals, io) =>
    openWatch(values, io, async ({ state, store, nowMs, config }) => {
      const firing = firingIncidents(state);
      const byNewest = (a: Incident, b: Incident) => (a.since < b.since ? 1 : -1);
      const shown = [...firing, ...(values.all ? state.resolved.toSorted(byNewest) : [])];
      const decisions = await store.ledger.decisions();
      const quietUntil = maintenanceUntil(config.maintenance, nowMs);
      if (quietUntil !== undefined) io.err(`${describeMaintenance(quietUntil)}\n`);
      const warning = subscriptionWarning(await store.ledger.subscriptionStatus());
      if (warning !== undefined) io.err(`WARNING · ${warning}\n`);
      if (values.json) io.out(`${JSON.stringify(shown, null, 2)}\n`);
      else if (shown.length === 0) io.out("No incident is firing.\n");
      else
        io.out(
          colourLines(
            `${shown.map((incident) => renderIncident(incident, decisions, nowMs).join("\n")).join("\n\n")}\n`,
            io,
          ),
        );
      return firing.length > 0 ? exitCodes.findings : exitCodes.success;
    }),
};
