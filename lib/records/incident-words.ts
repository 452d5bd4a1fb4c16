// The words of an incident, without its schema: code that only writes one needs no zod.
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
  "data/zero-stub",
  "data/fall-forward",
  "data/shrunken",
  "retirement/announced",
  "retirement/brownout",
  "retirement/date-passed",
  "retirement/gone",
  "network/flaky",
  "hostile",
  "monitor/certificate",
  "monitor/budget",
  "monitor/no-secret",
  "monitor/silent",
  "monitor/undelivered",
] as const;
export type Cause = (typeof causes)[number];
