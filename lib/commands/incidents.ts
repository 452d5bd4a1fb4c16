// v1watch incidents: what is wrong now, and what was.
import { causeWords, describeLength } from "../assess/alerts/cause-texts.ts";
import { plural } from "../assess/alerts/text.ts";
import { momentText } from "../assess/date-text.ts";
import { printable } from "../config/config.ts";
import { findDecisions } from "../local/page/incidents.ts";
import type { Decision, Incident } from "../records/incident.ts";
import { type Command, exitCodes } from "./command.ts";
import { storeHelp, storeOptions, withLedger } from "./open-watch.ts";

function renderIncident(incident: Incident, decisions: readonly Decision[], nowMs: number): string[] {
  const words = causeWords[incident.cause];
  const state = incident.supersededBy ? `became ${incident.supersededBy}` : incident.state;
  const said = findDecisions(incident, decisions, nowMs).map(
    ({ kind, reason, until }) => `${kind}${until ? ` until ${momentText(until)}` : ""}: ${printable(reason)}`,
  );
  return [
    `  ${incident.severity.padEnd(7)}  ${state.padEnd(8)}  ${incident.id}`,
    `           ${words.title(incident)}; since ${momentText(incident.since)}, ${describeLength(incident, nowMs)}`,
    ...incident.evidence.map((line) => `           ${line}`),
    ...(incident.flaps > 0 ? [`           came back ${plural(incident.flaps, "time")}`] : []),
    ...said.map((line) => `           ${line}`),
  ];
}

export const incidents: Command = {
  name: "incidents",
  summary: "what is wrong now, and what was",
  help: `v1watch incidents [--all] [--json]

Open incidents, one per cause, with their evidence; --all adds those that are over.

  --all           also what is over
${storeHelp}

Exit codes: 0 none is open, 1 some are, 2 usage.

Example: v1watch incidents --all
`,
  options: { ...storeOptions, all: { type: "boolean" } },
  run: (values, _positionals, io) =>
    withLedger(values, io, async ({ state, store, nowMs }) => {
      const known = Object.values(state.incidents).map((row) => row.incident);
      const open = known.filter((incident) => incident.state === "open");
      const over = [...known.filter((incident) => incident.state === "resolved"), ...state.resolved];
      const newest = (a: Incident, b: Incident) => (a.since < b.since ? 1 : -1);
      const shown = [...open.sort(newest), ...(values.all ? over.sort(newest) : [])];
      const decisions = await store.ledger.decisions();
      if (values.json) io.out(`${JSON.stringify(shown, null, 2)}\n`);
      else if (shown.length === 0) io.out("No incident is open.\n");
      else
        io.out(
          `${shown.map((incident) => renderIncident(incident, decisions, nowMs).join("\n")).join("\n\n")}\n`,
        );
      return open.length > 0 ? exitCodes.findings : exitCodes.fine;
    }),
};
