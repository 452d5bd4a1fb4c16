// One line of a log for machines: of `up --log json`, and in AWS the parts of a function's log that are about the same.
import type { Severity } from "./incident.ts";
import type { Observation } from "./observation.ts";
import { isExpectedRefusal } from "./outcome.ts";

/** From the worst to the least. */
export const logLevels = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Without a body, a secret, or an id of V1's records. */
export type LogLine = { level: LogLevel } & (
  | ({ event: "check" } & CheckFields)
  | {
      event: "incident";
      /** That of the incident on the dashboard and in the store. */
      id: string;
      change: "opened" | "changed" | "ended";
      rule: string;
      severity: Severity;
      endpoints: readonly string[];
      text: string;
    }
  | { event: "sent"; id: string; to: string }
  | { event: "not-sent"; id: string; to: string; cause: string }
  | { event: "reloaded"; changed: readonly string[] }
  | { event: "started" | "verdict" | "degraded" | "not-reloaded" | "stopped" | "message"; text: string }
);

type CheckFields = {
  /** That of the observation on the dashboard and in the store. */
  id: string;
  endpoint: string;
  variant: string;
  outcome: string;
  status?: number | undefined;
  detail?: string | undefined;
  ms: number;
  /** How many differences from V1's document. */
  findings: number;
};

export const summariseCheck = ({
  id,
  endpoint,
  variant,
  outcome,
  timings,
  findings,
  findingsOmitted,
}: Observation): CheckFields => ({
  id,
  endpoint,
  variant,
  outcome: outcome.kind,
  status: outcome.status,
  detail: outcome.detail,
  ms: Math.round(timings.totalMs),
  findings: findings.length + findingsOmitted,
});

const isCalm = (observation: Observation) =>
  (observation.outcome.kind === "ok" || isExpectedRefusal(observation)) &&
  observation.findings.every(({ level }) => level !== "breaking");

export const levelOfCheck = (observation: Observation): LogLevel => (isCalm(observation) ? "info" : "warn");

const severityLevels = { page: "error", warning: "warn", info: "info" } as const;

/** The end of what was bad is good news. */
export const levelOfSeverity = (severity: Severity, isOver: boolean): LogLevel =>
  isOver ? "info" : severityLevels[severity];
