// v1watch incidents: prints what fires now and what fired before; ack, mute and unmute record decisions about it.

import { Argument } from "commander";
import { type DecisionRequest, describeQuiet, decide as recordDecision } from "../assess/decisions.ts";
import { type AlertContext, renderAlert } from "../assess/text/render-alert.ts";
import { subscriptionWarning } from "../assess/text/scheduled-alerts.ts";
import { exitCodeOf, firingIncidents } from "../assess/verdict.ts";
import { assessmentSettings } from "../config/assessment-settings.ts";
import { durationMs, printable } from "../config/config.ts";
import { describeDecisions, findDecisions } from "../local/dashboard/incidents.ts";
import type { Decision, Incident } from "../records/incident.ts";
import { type Section, sentence } from "../report/document.ts";
import { buildIncidentRows } from "../report/model.ts";
import { composeIncidents } from "../report/sections/health.ts";
import { renderText } from "../report/text.ts";
import { momentText } from "../time.ts";
import {
  type CommandDefinition,
  defineCommand,
  exitCodes,
  flag,
  type Io,
  mandatoryText,
  UsageError,
} from "./command.ts";
import { print, printJson } from "./layout.ts";
import { type AssessedWatch, settingsOf, withAssessment } from "./open-watch.ts";
import { json, reason, type WatchValues, watchOptions } from "./shared-options.ts";

/** What fires, and on request what fired; where V1 is unknown, nobody knows that nothing does. */
export function listIncidents(
  { state, verdict, nowMs }: AssessedWatch,
  decisions: readonly Decision[],
  all: boolean,
): Section[] {
  const fromMs = all ? 0 : Number.POSITIVE_INFINITY;
  const rows = buildIncidentRows(state, fromMs, new Date(nowMs).toISOString()).map((row) => {
    const known = [...state.incidents, ...state.resolved].find(({ id }) => id === row.id);
    const decision = known && describeDecisions(findDecisions(known, decisions, nowMs));
    return { ...row, decision: decision === "" ? undefined : decision };
  });
  if (rows.length > 0) return [{ title: "Incidents", blocks: composeIncidents(rows) }];
  return verdict.kind === "unknown" ? [] : [{ title: "", blocks: [sentence("No incident is firing.")] }];
}

/** The alert of an incident as it would be sent now, and what was sent and decided. */
function composeIncident(
  incident: Incident,
  context: AlertContext,
  decisions: readonly Decision[],
  nowMs: number,
): Section[] {
  const at = new Date(nowMs).toISOString();
  const isOver = incident.state === "resolved";
  const event = isOver ? "resolved" : "opened";
  const { subject, sections, links } = renderAlert({ event, incident, at, number: 1 }, context);
  const decided = describeDecisions(findDecisions(incident, decisions, nowMs));
  const list = (title: string, items: readonly string[]): Section[] =>
    items.length > 0 ? [{ title, blocks: [{ kind: "list", items }] }] : [];
  return [
    { title: "", blocks: [sentence(subject.replace("[v1watch] ", ""))] },
    ...sections.map(({ label, lines }) => ({ title: label, blocks: lines.map(sentence) })),
    ...list(
      "Messages",
      incident.sent.map((one) => `${one.event} at ${momentText(one.at)}`),
    ),
    ...list("Decisions", decided === "" ? [] : [decided]),
    ...list(
      "Links",
      Object.values(links).filter((link) => link !== undefined),
    ),
  ];
}

/** Accepts an instant, a date (until the end of that day, UTC) or a duration from now such as 8h. */
function parseUntil(text: string, nowMs: number): string {
  const ms = /^[1-9]\d{0,3}[mhd]$/.test(text)
    ? nowMs + durationMs(text)
    : Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59Z` : text);
  if (Number.isNaN(ms) || ms <= nowMs) {
    throw new UsageError(
      `--until must be a time in the future, such as 8h, 3d, 2026-12-31 or 2026-12-31T06:00:00Z, not "${text}"`,
    );
  }
  return new Date(ms).toISOString();
}

const doneWords = { ack: "Acknowledged", mute: "Muted", unmute: "No longer muted" } as const;

type DecisionValues = WatchValues & { reason: string; json: boolean; until?: string; ahead?: boolean };

const decide = (
  kind: DecisionRequest["kind"],
  values: DecisionValues,
  positionals: readonly string[],
  io: Io,
): Promise<number> =>
  withAssessment(values, io, async ({ state, watch, nowMs, config }) => {
    const subject = positionals.join(" ");
    const request: DecisionRequest = {
      kind,
      subject,
      reason: values.reason,
      isAhead: values.ahead === true,
      until: values.until === undefined ? undefined : parseUntil(values.until, nowMs),
    };
    const context = assessmentSettings(config);
    const decided = await recordDecision({ ports: watch, state, request, context, nowMs });
    if (decided.kind === "refused") throw new UsageError(decided.problem);
    const { decision } = decided;
    const end =
      kind === "unmute" || decision.until === undefined ? "" : ` until ${momentText(decision.until)}`;
    if (values.json) printJson(io, decision);
    else print(io, `${doneWords[kind]}${end}: ${subject}\n`);
    return exitCodes.success;
  });

const id = "the id of an incident (v1watch incidents) or of a difference (v1watch status drift)";

const decisions: Record<DecisionRequest["kind"], CommandDefinition> = {
  ack: defineCommand({
    summary: "acknowledge an incident or a finding, with a reason",
    description:
      "Records that you know about the incident or finding, and tells the channels. Its reminders stop.",
    arguments: [new Argument("<id...>", id)],
    options: { reason, ...watchOptions, json },
    notes: ['Example: v1watch incidents ack sunset-20261102T0000Z --reason "planned"'],
    run: (values, positionals, io) => decide("ack", values, positionals, io),
  }),
  mute: defineCommand({
    summary: "stop its notifications for a while",
    description:
      "Stops notifications about ID until TIME. ID is an incident, a rule (such as slow), an endpoint (the incidents of that endpoint alone) or a finding. v1watch still checks and records it, and announces what still fires at the end. The latest mute of an ID applies; `v1watch incidents unmute` ends it. To mute something that is not firing, add --ahead.",
    arguments: [new Argument("<id...>", `${id}, or the name of a rule or an endpoint`)],
    options: {
      until: mandatoryText("<TIME>", "8h, 3d, 2026-12-31 or 2026-12-31T06:00:00Z"),
      reason,
      ahead: flag("mute what is not firing now: incidents that come later are silent too"),
      ...watchOptions,
      json,
    },
    notes: ['Example: v1watch incidents mute slow --until 7d --reason "planned work"'],
    run: (values, positionals, io) => decide("mute", values, positionals, io),
  }),
  unmute: defineCommand({
    summary: "end a mute early",
    description: "Starts the notifications about ID again. ID is what was muted.",
    arguments: [new Argument("<id...>", "what was muted")],
    options: { reason, ...watchOptions, json },
    notes: ['Example: v1watch incidents unmute slow --reason "the maintenance is over"'],
    run: (values, positionals, io) => decide("unmute", values, positionals, io),
  }),
};

const show = defineCommand({
  summary: "print one incident: what its alert says now, what was sent and decided",
  description:
    "Prints one incident as its alert says it now, with the impact, the next steps, the command that reproduces it, the messages that were sent, and the decisions about it.",
  arguments: [new Argument("<id>", "the id of an incident (v1watch incidents --all)")],
  options: { ...watchOptions, json },
  notes: [
    "Exit codes: 0 printed, 2 there is no such incident, or usage error.",
    "Example: v1watch incidents show key-refused-20261115T0250Z",
  ],
  run: (values, [id], io) =>
    withAssessment(values, io, async ({ state, watch, nowMs, config }) => {
      const incident = [...state.incidents, ...state.resolved].find(
        (one) => one.id === id && one.openedAt !== undefined,
      );
      if (!incident)
        throw new UsageError(
          `there is no incident ${printable(id ?? "")}. v1watch incidents --all lists them.`,
        );
      if (values.json) printJson(io, incident);
      else {
        const context = await settingsOf(watch, config);
        const decided = await watch.ledger.decisions();
        print(io, renderText(composeIncident(incident, context, decided, nowMs)));
      }
      return exitCodes.success;
    }),
});

export const incidents = defineCommand({
  description: "Lists the firing incidents, the worst first. `v1watch incidents show ID` prints one in full.",
  options: { ...watchOptions, all: flag("include resolved incidents"), json },
  notes: [
    "Exit codes: 0 V1 is up and no incident is firing, 1 at least one is firing, 2 V1 is unknown, or usage error.",
    "Example: v1watch incidents --all",
  ],
  run: (values, _positionals, io) =>
    withAssessment(values, io, async (assessed) => {
      const { state, verdict, watch, nowMs, config } = assessed;
      const decided = await watch.ledger.decisions();
      const quiet = describeQuiet(config.maintenance, decided, nowMs);
      if (quiet !== undefined) io.err(`${printable(quiet)}\n`);
      const warning = subscriptionWarning(await watch.ledger.subscriptionStatus());
      if (warning !== undefined) io.err(`WARNING · ${warning}\n`);
      if (values.json) {
        if (verdict.kind === "unknown") io.err(`${verdict.headline}\n`);
        const byNewest = (a: Incident, b: Incident) => (a.since < b.since ? 1 : -1);
        printJson(io, [...firingIncidents(state), ...(values.all ? state.resolved.toSorted(byNewest) : [])]);
      } else {
        const unknown =
          verdict.kind === "unknown" ? [{ title: "", blocks: [sentence(verdict.headline)] }] : [];
        print(io, renderText([...unknown, ...listIncidents(assessed, decided, values.all)]));
      }
      return exitCodeOf(verdict);
    }),
  commands: { show, ...decisions },
});
