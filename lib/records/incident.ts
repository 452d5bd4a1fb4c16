// The stored state of an incident: its cause, its times, its check counts and its evidence.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";

export const severities = ["page", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** Every cause of an incident. Each has a heading of the same name in docs/runbook.md. */
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
  /** Derived from the cause. At most one incident of a cause exists at a time. */
  id: z.string().max(80),
  cause: z.enum(causes),
  /** The current form of the cause, such as `503`, `410` or a date. A new class sends a new alert. */
  class: z.string().max(200),
  severity: z.enum(severities),
  state: z.enum(["pending", "open", "resolved"]),
  /** The time of the first failed check of this incident. */
  since: instant,
  openedAt: instant.optional(),
  lastBadAt: instant,
  /**
   * The time of the first successful check since the last failed one. The outage ends here, before the
   * recovery is confirmed.
   */
  firstGoodAt: instant.optional(),
  resolvedAt: instant.optional(),
  /** The number of consecutive failed checks, and of successful checks since the last failed one. */
  confirmations: count,
  recoveries: count,
  failed: count,
  endpoints: z.array(z.enum(endpointIds)),
  /** Generated sentences with paths and counts. They never contain text from a response. */
  evidence: z.array(z.string().max(200)).max(8),
  /** How often the incident was reopened soon after it was resolved, without an alert. */
  flaps: count,
  /** The id of a broader incident that currently inhibits this one. */
  inhibitedBy: z.string().max(80).optional(),
  /** The id of the incident that replaced this one because the cause changed. */
  supersededBy: z.string().max(80).optional(),
});
export type Incident = z.infer<typeof incident>;

/** A person's acknowledgement or mute of an incident or a finding, with its reason. */
export const decision = z.strictObject({
  schema: z.literal("v1watch/decision/1"),
  kind: z.enum(["ack", "mute"]),
  /** The id of an incident or of a finding. */
  subject: z.string().max(160),
  reason: z.string().min(1).max(200),
  at: instant,
  until: instant.optional(),
});
export type Decision = z.infer<typeof decision>;
