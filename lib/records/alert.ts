// The alert that is sent to people and programs. Its id is derived from its content, so that a receiver can
// discard duplicates.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";
import { severities } from "./incident.ts";

export const alertEvents = [
  "opened",
  "escalated",
  "changed",
  "resolved",
  "countdown",
  "learned",
  "drill",
] as const;
export type AlertEvent = (typeof alertEvents)[number];

export const alertKinds = [
  "down",
  "access",
  "drift",
  "data",
  "retirement",
  "network",
  "monitor",
  "digest",
] as const;

const instant = z.iso.datetime();

export const alert = z.strictObject({
  schema: z.literal("v1watch/alert/1"),
  /** incident@since/event/class: the same event of the same incident always has the same id. */
  id: z.string().max(320),
  event: z.enum(alertEvents),
  at: instant,
  severity: z.enum(severities),
  kind: z.enum(alertKinds),
  endpoint: z.enum([...endpointIds, "all"]),
  incident: z.string().max(80),
  since: instant,
  /** ASCII and at most 100 characters, as SNS requires. */
  subject: z
    .string()
    .max(100)
    .regex(/^[\x20-\x7e]+$/),
  /** The text of an SMS, on one line. */
  sms: z.string().max(160),
  body: z.string().max(8_000),
  /** The heading in docs/runbook.md. */
  runbook: z.string().max(60),
});
export type Alert = z.infer<typeof alert>;
