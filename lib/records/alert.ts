// What is sent to people and machines: the facts, and the text that is made of them. Published as
// schemas/alert.schema.json. The id is structural, so that an alert sent twice is one alert.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";
import { facts, ruleIds, scopes, severities } from "./incident.ts";
import { safeLine } from "./observation.ts";

export const alertEvents = [
  "opened",
  "changed",
  "resolved",
  "reminder",
  "acknowledged",
  "countdown",
  "digest",
  "drill",
] as const;

const instant = z.iso.datetime();

export const alert = z
  .strictObject({
    schema: z.literal("v1watch/alert/3"),
    id: safeLine(160).describe("The incident's id, the number of the message and its event."),
    at: instant.describe("When it was decided to send it, by the clock of the checks."),
    event: z.enum(alertEvents),
    severity: z.enum(severities),
    rule: z.enum([...ruleIds, "monitor", "digest", "drill"]),
    scope: z.enum(scopes),
    endpoints: z.array(z.enum(endpointIds)),
    subject: z
      .string()
      .max(100)
      .regex(/^[\x20-\x7e]+$/)
      .describe("ASCII, one line: SNS takes no other."),
    sections: z
      .array(
        z.strictObject({
          label: z.string().max(20).describe("Empty for the facts in sentences, which come first."),
          lines: z.array(z.string().max(2_000)).max(60),
        }),
      )
      .max(12)
      .describe("What people read. Every channel renders these; none parses a text."),
    facts: facts.nullable().describe("Null for a digest, a drill and a problem of the monitor itself."),
    links: z.strictObject({
      page: z.url().optional().describe("Its incident, or the overview where it has none."),
      acknowledge: z
        .url()
        .optional()
        .describe(
          "Signed for this incident: a form with one button. Valid while the incident is open; needs no token.",
        ),
      mute: z.url().optional().describe("The same, to mute it for 4 h."),
      runbook: z.url().optional(),
    }),
    supersedes: z
      .array(z.string().max(80))
      .max(20)
      .optional()
      .describe("The announced incidents that this one replaced. They get no RESOLVED of their own."),
  })
  .meta({ title: "v1watch alert" });
export type Alert = z.infer<typeof alert>;

/** `key-refused-20261115T0250Z/1-opened` → `key-refused-20261115T0250Z` */
export const incidentOf = ({ id }: Pick<Alert, "id">): string => id.split("/", 1)[0] ?? id;

/** `…/3-changed` → 3: the number of the message among those of its incident. */
export const numberOf = ({ id }: Pick<Alert, "id">): number => Number.parseInt(id.split("/")[1] ?? "1", 10);

/** Alerts about an incident, which ends with a RESOLVED: also those about the monitor itself, which have no facts. */
export const isOfIncident = ({ event, rule }: Alert): boolean =>
  rule !== "digest" &&
  rule !== "drill" &&
  (event === "opened" || event === "changed" || event === "reminder" || event === "resolved");

/** Warnings about the watch itself. They follow from no check, so that nobody can acknowledge them. */
export const isOwnWarning = ({ rule }: Pick<Alert, "rule">): boolean =>
  rule === "budget" || rule === "undelivered" || rule === "monitor";

/** Whether a reader can acknowledge or mute what it is about: an incident that this message does not end. */
export const isActionable = (alert: Alert): boolean =>
  isOfIncident(alert) && alert.event !== "resolved" && !isOwnWarning(alert);

/**
 * The latest alert of every incident that has not ended and that no other incident has replaced, from alerts in the order in which
 * they were put. The latest is that of the highest number: an instant may be that of a clock that was wrong.
 */
export function listUnresolved(alerts: readonly Alert[]): Alert[] {
  const latest = new Map<string, Alert>();
  const open = new Set<string>();
  for (const alert of alerts.filter(isOfIncident)) {
    const incident = incidentOf(alert);
    for (const replaced of alert.supersedes ?? []) open.delete(replaced);
    if (numberOf(alert) < numberOf(latest.get(incident) ?? alert)) continue;
    latest.set(incident, alert);
    if (alert.event === "resolved") open.delete(incident);
    else open.add(incident);
  }
  return [...open].flatMap((incident) => latest.get(incident) ?? []);
}

/** They get no RESOLVED. Everything else ends with one. */
const endedAtOnce: readonly Alert["event"][] = ["drill", "digest", "countdown"];

/** Whether nothing of the message is left open: no RESOLVED follows it. */
export const isEndedAtOnce = ({ event }: Alert): boolean => endedAtOnce.includes(event);

/** The incidents that are over with this message: first its own, then those that it replaced, which get no RESOLVED. */
export const listEnded = (alert: Alert): string[] => [
  ...(alert.event === "resolved" || isEndedAtOnce(alert) ? [incidentOf(alert)] : []),
  ...(alert.supersedes ?? []),
];

const linkLabels = [
  { name: "page", label: "Dashboard", button: "Open incident" },
  { name: "acknowledge", label: "Acknowledge", button: "Acknowledge" },
  { name: "mute", label: "Mute", button: "Mute for 4 h" },
  { name: "runbook", label: "Runbook", button: "Runbook" },
] as const;

/** The links of an alert in the order in which every channel shows them: with a word for a column and one for a button. */
export const listLinks = ({
  links,
}: Pick<Alert, "links">): { label: string; button: string; url: string }[] =>
  linkLabels.flatMap(({ name, label, button }) => {
    const url = links[name];
    if (url === undefined) return [];
    const isOverview = name === "page" && !url.includes("/incidents/");
    return [{ label, button: isOverview ? "Open v1watch" : button, url }];
  });

const labelWidth = 12;

/** The sections and links as plain text: sentences, then a column of labels. */
export function textOf({ sections, links }: Pick<Alert, "sections" | "links">): string {
  const rows = [
    ...sections.filter(({ label }) => label !== ""),
    ...listLinks({ links }).map(({ label, url }) => ({ label, lines: [url] })),
  ];
  const sentences = sections.filter(({ label }) => label === "").flatMap(({ lines }) => lines);
  const column = rows.map(
    ({ label, lines }) => `${label.padEnd(labelWidth)}${lines.join(`\n${" ".repeat(labelWidth)}`)}`,
  );
  return `${[...sentences, ...(column.length > 0 ? ["", ...column] : [])].join("\n")}\n`;
}

/** Amazon Q in chat subscribes to SNS by https and reads only these, so they are in every https message of SNS. */
const deliveredAlert = alert
  .extend({
    version: z.literal("1.0").optional().describe("Only in https messages of SNS, for Amazon Q in chat."),
    source: z.literal("custom").optional(),
    content: z
      .strictObject({ textType: z.literal("client-markdown"), title: z.string(), description: z.string() })
      .optional(),
  })
  .meta({ title: "v1watch alert" });

/** As receivers get it. */
export const alertJsonSchema = (): unknown => z.toJSONSchema(deliveredAlert);
