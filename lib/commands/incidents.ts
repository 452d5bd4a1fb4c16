// v1watch incidents: lists open incidents and, with --all, resolved ones.
import { causeWords, describeLength } from "../assess/alerts/cause-texts.ts";
import { momentText } from "../assess/date-text.ts";
import { printable } from "../config/config.ts";
import { findDecisions } from "../local/page/incidents.ts";
import type { Decision, Incident } from "../records/incident.ts";
import { type Command, exitCodes } from "./command.ts";
import { openWatch, storeHelp, storeOptions } from "./open-watch.ts";

function renderIncident(incident: Incident, decisions: readonly Decision[], nowMs: number): string[] {
  const { title } = causeWords[incident.cause];
  const state = incident.supersededBy ? `superseded by ${incident.supersededBy}` : incident.state;
  const decisionLines = findDecisions(incident, decisions, nowMs).map(
    ({ kind, reason, until }) => `${kind}${until ? ` until ${momentText(until)}` : ""}: ${printable(reason)}`,
  );
  return [
    `  ${incident.severity.padEnd(7)}  ${state.padEnd(8)}  ${incident.id}`,
    `           ${title(incident)}; since ${momentText(incident.since)}, ${describeLength(incident, nowMs)}`,
    ...incident.evidence.map((line) => `           ${line}`),
    ...(incident.flaps > 0 ? [`           Reopened: ${incident.flaps}`] : []),
    ...decisionLines.map((line) => `           ${line}`),
  ];
}

export const incidents: Command = {
  name: "incidents",
  summary: "list open incidents and, with --all, resolved ones",
  help: `v1watch incidents [--all] [--json]

Lists the open incidents, one per cause, with their evidence.

  --all           include resolved incidents
${storeHelp}

Exit codes: 0 no open incidents, 1 open incidents, 2 usage error.

Example: v1watch incidents --all
`,
  options: { ...storeOptions, all: { type: "boolean" } },
  run: (values, _positionals, io) =>
    openWatch(values, io, async ({ state, store, nowMs }) => {
      const current = Object.values(state.incidents).map((row) => row.incident);
      const open = current.filter((incident) => incident.state === "open");
      const resolved = [...current.filter((incident) => incident.state === "resolved"), ...state.resolved];
      const byNewest = (a: Incident, b: Incident) => (a.since < b.since ? 1 : -1);
      const shown = [...open.sort(byNewest), ...(values.all ? resolved.sort(byNewest) : [])];
      const decisions = await store.ledger.decisions();
      if (values.json) io.out(`${JSON.stringify(shown, null, 2)}\n`);
      else if (shown.length === 0) io.out("No open incidents.\n");
      else
        io.out(
          `${shown.map((incident) => renderIncident(incident, decisions, nowMs).join("\n")).join("\n\n")}\n`,
        );
      return open.length > 0 ? exitCodes.findings : exitCodes.success;
    }),
};
