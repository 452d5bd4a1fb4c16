// What the rules on V1's data share: warnings about one endpoint, from good checks in a row.
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { Incident } from "../../records/incident.ts";
import type { Check } from "../history/check.ts";
import { runOf } from "../history/queries.ts";
import type { History } from "../history/types.ts";
import type { Active, Evaluation, RuleFacts } from "./rule.ts";

export const listIds = endpointIds.filter((endpoint) => endpoints[endpoint].role === "list");
export const credentialIds = endpointIds.filter((endpoint) => endpoints[endpoint].role === "credentials");

/** Unknown while it is not served: what is not seen neither stands still nor moves. */
export const isServed = (history: History, endpoint: EndpointId) =>
  runOf(history, endpoint)?.state === "good";

export const unknown: Evaluation = { state: "unknown" };

type Warning = Pick<Active, "rule" | "firstBadMs" | "lastGoodMs" | "lastBadMs" | "bad" | "total"> & {
  endpoint: EndpointId;
  facts: RuleFacts;
  key: string;
  windowMs?: number;
  severity?: Active["severity"];
};

export const warn = ({ endpoint, ...rest }: Warning): Active => ({
  state: "active",
  severity: "warning",
  scope: "endpoint",
  endpoints: [endpoint],
  isConfirmed: true,
  ...rest,
});

/** The same checks in a row at the end of a series, and the check before them. */
export function tail(
  checks: readonly Check[],
  has: (check: Check) => boolean,
): { last: Check[]; before: Check | undefined } {
  const index = checks.findLastIndex((check) => !has(check));
  return { last: checks.slice(index + 1), before: checks[index] };
}

export const inactive = (check: Check | undefined, nowMs: number): Evaluation => ({
  state: "inactive",
  firstGoodMs: check?.atMs,
  good: 2,
  lastMs: nowMs,
});

export const span = (last: readonly Check[]) => ({
  firstBadMs: last[0]!.atMs,
  lastBadMs: last.at(-1)!.atMs,
  ...{ bad: last.length, total: last.length },
});

/** A firing incident keeps its onset, though the first checks of it are no longer kept. */
export const keptOnset = (
  firing: Incident | undefined,
  firstBadMs: number,
  lastGoodMs: number | undefined,
) =>
  firing
    ? {
        firstBadMs: Math.min(Date.parse(firing.since), firstBadMs),
        lastGoodMs: firing.facts.lastGoodBeforeAt ? Date.parse(firing.facts.lastGoodBeforeAt) : undefined,
      }
    : { firstBadMs, lastGoodMs };
