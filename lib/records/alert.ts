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
export type AlertEvent = (typeof alertEvents)[number];

const instant = z.iso.datetime();

export const alert = z
  .strictObject({
    schema: z.literal("v1watch/alert/2"),
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
    text: z.string().max(8_000),
    facts: facts.nullable().describe("Null for a digest, a drill and a problem of the monitor itself."),
    links: z.strictObject({ page: z.url().optional(), runbook: z.url().optional() }),
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

/** Alerts about an incident, which ends with a RESOLVED; digests, drills and the monitor's own alerts have no facts. */
export const isOfIncident = ({ event, facts }: Alert): boolean =>
  facts !== null &&
  (event === "opened" || event === "changed" || event === "reminder" || event === "resolved");

/** The latest alert of every incident that has not ended and that no other incident has replaced. */
export function listUnresolved(alerts: readonly Alert[]): Alert[] {
  const latest = new Map<string, Alert>();
  const inOrder = alerts
    .filter(isOfIncident)
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at) || numberOf(one) - numberOf(other));
  for (const alert of inOrder) {
    for (const replaced of alert.supersedes ?? []) latest.delete(replaced);
    if (alert.event === "resolved") latest.delete(incidentOf(alert));
    else latest.set(incidentOf(alert), alert);
  }
  return [...latest.values()];
}

export const alertJsonSchema = (): unknown => z.toJSONSchema(alert);
