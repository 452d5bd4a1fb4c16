// What is remembered of one cause of trouble: when, how sure, and what was seen of it.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";

export const severities = ["page", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** Every cause that can be told, and its heading in docs/runbook.md. */
export const causes = [
  "down",
  "slow",
  "access/key-revoked",
  "access/quota-exhausted",
  "access/key-mandatory",
  "access/retired-by-401",
  "access/endpoint-withdrawn",
  "drift/breaking",
  "data/frozen",
  "data/stub-data",
  "data/serves-v2",
  "data/data-shrinking",
  "retirement/announced",
  "retirement/brownout",
  "retirement/date-passed",
  "retirement/gone",
  "network/flaky",
  "unsafe-response",
  "monitor/certificate",
  "monitor/budget",
  "monitor/no-secret",
  "monitor/silent",
  "monitor/undelivered",
] as const;
export type Cause = (typeof causes)[number];

const instant = z.iso.datetime();
const count = z.int().nonnegative();

export const incident = z.strictObject({
  schema: z.literal("v1watch/incident/1"),
  /** The cause: there is one incident of it at a time. */
  id: z.string().max(80),
  cause: z.enum(causes),
  /** Within one cause, what it looks like now: `503`, `410`, the date. A new class is told again. */
  class: z.string().max(200),
  severity: z.enum(severities),
  state: z.enum(["pending", "open", "resolved"]),
  /** First bad observation of this episode. */
  since: instant,
  openedAt: instant.optional(),
  lastBadAt: instant,
  /** First good observation since; how many more it takes to be sure is no part of the outage. */
  firstGoodAt: instant.optional(),
  resolvedAt: instant.optional(),
  /** Bad observations in a row, and good ones since the last bad: the thresholds look at these. */
  confirmations: count,
  recoveries: count,
  failed: count,
  endpoints: z.array(z.enum(endpointIds)),
  /** In our own words, with paths and counts; never a stranger's text. */
  evidence: z.array(z.string().max(200)).max(8),
  /** How often it came back soon after it was resolved, without a message of its own. */
  flaps: count,
  /** A wider cause that hides this one for now. */
  inhibitedBy: z.string().max(80).optional(),
  /** It did not end: another cause took its place. */
  supersededBy: z.string().max(80).optional(),
});
export type Incident = z.infer<typeof incident>;

/** A person's word on an incident or a finding; recorded, with its reason. */
export const decision = z.strictObject({
  schema: z.literal("v1watch/decision/1"),
  kind: z.enum(["ack", "mute"]),
  /** An incident's id or a finding's id. */
  subject: z.string().max(160),
  reason: z.string().min(1).max(200),
  at: instant,
  until: instant.optional(),
});
export type Decision = z.infer<typeof decision>;
