// v1watch incidents: prints what fires now and what fired before.

import { describeLength, titleOf } from "../assess/alerts/render-alert.ts";
import { ruleTexts } from "../assess/alerts/rule-texts.ts";
import { subscriptionWarning } from "../assess/alerts/scheduled-alerts.ts";
import { describeQuiet } from "../assess/decisions.ts";
import { firingIncidents } from "../assess/verdict.ts";
import { printable } from "../config/config.ts";
import { findDecisions } from "../local/page/incidents.ts";
import type { Decision, Incident } from "../records/incident.ts";
import { momentText } from "../time.ts";
import { exitCodes, type Run } from "./command.ts";
import { print } from "./layout.ts";
import { openWatch } from "./open-watch.ts";

function renderIncident(incident: Incident, decisions: readonly Decision[], nowMs: number): string[] {
  const now = new Date(nowMs).toISOString();
  const state = incident.supersededBy ? `superseded by ${incident.supersededBy}` : incident.state;
  const decisionLines = findDecisions(incident, decisions, nowMs).map(
    ({ kind, reason, until }) => `${kind}${until ? ` until ${momentText(until)}` : ""}: ${printable(reason)}`,
  );
  return [
    `  ${incident.severity}\t${state}\t${incident.id}`,
    `\t${titleOf(incident)}; since ${momentText(incident.since)}, ${describeLength(incident.facts, now)}`,
    ...ruleTexts[incident.rule].facts(incident.facts, now).map((line) => `\t${line}`),
    ...decisionLines.map((line) => `\t${line}`),
  ];
}

export const incidents: Run = (values, _positionals, io) =>
  openWatch(values, io, async ({ state, store, nowMs, config }) => {
    const firing = firingIncidents(state);
    const byNewest = (a: Incident, b: Incident) => (a.since < b.since ? 1 : -1);
    const shown = [...firing, ...(values.all ? state.resolved.toSorted(byNewest) : [])];
    const decisions = await store.ledger.decisions();
    const quiet = describeQuiet(config.maintenance, decisions, nowMs);
    if (quiet !== undefined) io.err(`${printable(quiet)}\n`);
    const warning = subscriptionWarning(await store.ledger.subscriptionStatus());
    if (warning !== undefined) io.err(`WARNING · ${warning}\n`);
    if (values.json) io.out(`${JSON.stringify(shown, null, 2)}\n`);
    else if (shown.length === 0) io.out("No incident is firing.\n");
    else
      print(
        io,
        `${shown.map((incident) => renderIncident(incident, decisions, nowMs).join("\n")).join("\n\n")}\n`,
      );
    return firing.length > 0 ? exitCodes.findings : exitCodes.success;
  });
