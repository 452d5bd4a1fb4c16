// v1watch incidents, outlook and gaps: what is known of V1 now.

import { describeLength, titleOf } from "../assess/alerts/render-alert.ts";
import { ruleTexts } from "../assess/alerts/rule-texts.ts";
import { subscriptionWarning } from "../assess/alerts/scheduled-alerts.ts";
import { readGapEvidence } from "../assess/gap-evidence.ts";
import type { Outlook } from "../assess/outlook.ts";
import { firingIncidents } from "../assess/verdict.ts";
import { printable } from "../config/config.ts";
import { findDecisions } from "../local/page/incidents.ts";
import type { Decision, Incident } from "../records/incident.ts";
import { describeMaintenance, maintenanceUntil } from "../records/maintenance.ts";
import { plural } from "../text.ts";
import { momentText } from "../time.ts";
import { type Command, colourLines, exitCodes, fitLines } from "./command.ts";
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

// v1watch outlook: prints the risk that V1 is retired, with the reasons.
function renderOutlook({ level, headline, reasons, next }: Outlook): string {
  const list = (name: string, lines: readonly string[]) =>
    lines.map((line, index) => `  ${(index === 0 ? name : "").padEnd(7)}  ${line}`);
  return [
    `Retirement risk: ${level} · ${headline}`,
    "",
    ...list("reasons", reasons),
    ...(next ? list("next", [next.text]) : []),
    "",
  ].join("\n");
}

export const outlook: Command = {
  name: "outlook",
  summary: "show the retirement risk of V1, with the reasons",
  help: `v1watch outlook [--json]

Prints the retirement risk of V1 (low, elevated, high, imminent, retired) with the reasons. The risk is unknown until
V1 has returned data or a retirement signal.

${storeHelp}

Exit codes: 0 low or elevated, 1 high, imminent or retired, 2 unknown, or usage error.

Example: v1watch outlook --json
`,
  options: storeOptions,
  run: (values, _positionals, io) =>
    openWatch(values, io, ({ outlook: current }) => {
      io.out(values.json ? `${JSON.stringify(current, null, 2)}\n` : fitLines(renderOutlook(current), io));
      if (current.level === "unknown") return exitCodes.usage;
      return current.level === "low" || current.level === "elevated" ? exitCodes.success : exitCodes.findings;
    }),
};

// v1watch gaps: lists V1's undocumented behaviour and what was observed of it.
export const gaps: Command = {
  name: "gaps",
  summary: "list V1's undocumented behaviour and the observations of it",
  help: `v1watch gaps [--json]

Lists each question that V1's document leaves open as open, observed (with numbers and dates) or CHANGED.
Observations are evidence and never become part of the contract.

${storeHelp}

Example: v1watch gaps
`,
  options: storeOptions,
  run: (values, _positionals, io) =>
    openWatch(values, io, ({ state }) => {
      const rows = readGapEvidence(state.evidence);
      if (values.json) {
        io.out(
          `${JSON.stringify({ since: state.firstAt, responses: state.observations, gaps: rows }, null, 2)}\n`,
        );
        return exitCodes.success;
      }
      const width = Math.max(...rows.map(({ question }) => question.length));
      const text = [
        `Undocumented behaviour of V1, observed since ${state.firstAt?.slice(0, 10)} (${plural(state.observations, "check")})`,
        "",
        ...rows.map(
          ({ section, question, status, summary }) =>
            `  ${section.padEnd(4)} ${question.padEnd(width)}  ${status.padEnd(9)} ${summary}`,
        ),
        "",
      ].join("\n");
      io.out(fitLines(text, io));
      return exitCodes.success;
    }),
};
