// What it takes to open and to resolve an incident, and which cause speaks for which: one row a cause.
import type { Cause } from "../records/incident.ts";

export type Policy = {
  /** Bad ticks in a row that open it, good ones that resolve it. */
  opens: number;
  resolves: number;
  /** While one of these is bad, nothing is said or counted here. */
  inhibitedBy?: readonly Cause[];
  /** While it is open, a class is told once: a V1 that fails now so, now so, is one story. */
  isFolded?: true;
  /** These end without a word when this one opens: the cause changed. */
  supersedes?: readonly Cause[];
};

const unreachable: readonly Cause[] = [
  "down",
  "retirement/gone",
  "access/retired-by-401",
  "access/key-revoked",
  "access/quota-exhausted",
];
const unreadable: readonly Cause[] = [...unreachable, "data/serves-v2", "unsafe-response"];

export const policies: Record<Cause, Policy> = {
  // Confirmed by its own judgement: all endpoints twice, or one alone three times.
  down: { opens: 1, resolves: 2, inhibitedBy: ["retirement/gone"], isFolded: true },
  slow: { opens: 3, resolves: 3, inhibitedBy: unreachable },
  "access/key-revoked": {
    opens: 2,
    resolves: 2,
    inhibitedBy: ["retirement/gone", "access/retired-by-401"],
    supersedes: ["down"],
  },
  "access/quota-exhausted": { opens: 2, resolves: 2, supersedes: ["access/key-revoked", "down"] },
  "access/key-mandatory": { opens: 1, resolves: 1, inhibitedBy: unreachable, supersedes: ["down"] },
  "access/retired-by-401": {
    opens: 2,
    resolves: 2,
    supersedes: ["access/key-revoked", "access/endpoint-withdrawn", "down"],
  },
  "access/endpoint-withdrawn": {
    opens: 2,
    resolves: 2,
    inhibitedBy: ["retirement/gone", "access/retired-by-401"],
    supersedes: ["down"],
  },
  "drift/breaking": { opens: 1, resolves: 1, inhibitedBy: unreadable },
  "data/frozen": { opens: 1, resolves: 1, inhibitedBy: unreadable },
  "data/stub-data": { opens: 2, resolves: 2, inhibitedBy: unreadable },
  "data/serves-v2": { opens: 2, resolves: 2, inhibitedBy: unreachable, supersedes: ["drift/breaking"] },
  "data/data-shrinking": { opens: 2, resolves: 2, inhibitedBy: [...unreadable, "data/stub-data"] },
  "retirement/announced": { opens: 2, resolves: 4, inhibitedBy: unreachable },
  "retirement/brownout": { opens: 1, resolves: 1, inhibitedBy: ["retirement/gone"] },
  "retirement/date-passed": {
    opens: 1,
    resolves: 1,
    inhibitedBy: unreachable,
    supersedes: ["retirement/announced"],
  },
  "retirement/gone": {
    opens: 2,
    resolves: 2,
    isFolded: true,
    supersedes: [
      "down",
      "access/endpoint-withdrawn",
      "access/retired-by-401",
      "retirement/announced",
      "retirement/date-passed",
      "retirement/brownout",
    ],
  },
  "network/flaky": { opens: 1, resolves: 6, inhibitedBy: unreachable },
  "unsafe-response": { opens: 2, resolves: 2, inhibitedBy: unreachable },
  "monitor/certificate": { opens: 1, resolves: 1 },
  "monitor/budget": { opens: 1, resolves: 1 },
  "monitor/no-secret": { opens: 2, resolves: 1 },
  "monitor/silent": { opens: 1, resolves: 1 },
  "monitor/undelivered": { opens: 1, resolves: 1 },
};
