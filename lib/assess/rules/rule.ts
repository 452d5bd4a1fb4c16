// What a rule is, in Prometheus's words. A rule is a pure function of the check history and of the incidents.

import type { Thresholds } from "../../config/thresholds.ts";
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import type { Facts, Incident, RuleId, Scope, Severity } from "../../records/incident.ts";
import type { Check } from "../history/check.ts";
import { instantText, runOf } from "../history/queries.ts";
import type { History } from "../history/types.ts";

/** What a team sets. */
export type RuleSettings = {
  /** The day of V1's removal, if someone named it. */
  retirementDate?: string | undefined;
  /** staleness.frozenAfter, where the user gives it; it is the law then. */
  frozenAfterMs?: number | undefined;
  /** How long an endpoint may be without a check before its prober counts as silent. */
  silentAfterMs: number;
  /** Findings that are muted at this time. */
  isMuted(findingId: string): boolean;
};

export type RuleContext = {
  history: History;
  /** Pending, firing and resolved ones of the last 60 days. */
  incidents: readonly Incident[];
  nowMs: number;
  thresholds: Thresholds;
  settings: RuleSettings;
};

/** The numbers of a rule beside those that every incident has. */
export type RuleFacts = Omit<
  Facts,
  | "rule"
  | "scope"
  | "endpoints"
  | "firstBadAt"
  | "lastGoodBeforeAt"
  | "lastBadAt"
  | "firstGoodAfterAt"
  | "bad"
  | "total"
  | "windowSeconds"
  | "changedAt"
  | "changedAfterAt"
>;

export type Active = {
  state: "active";
  rule: RuleId;
  severity: Severity;
  endpoints: EndpointId[];
  scope: Scope;
  firstBadMs: number;
  lastGoodMs: number | undefined;
  lastBadMs: number;
  bad: number;
  total: number;
  /** For a rate; else the time from the first bad check to the last. */
  windowMs?: number;
  facts: RuleFacts;
  /** A message is sent when it differs from that of the last message. */
  key: string;
  /** Since when it has had this cause, where that is known. */
  changedMs?: number;
  changedAfterMs?: number | undefined;
  /** The firing incident that this evaluation is about; undefined where it is a new one. */
  incidentId?: string | undefined;
  /** Confirmed by the rule itself: `for` and `minChecks` do not apply. */
  isConfirmed?: boolean;
};

export type Inactive = {
  state: "inactive";
  /** The first good check that no bad one followed; undefined where no check showed the end. */
  firstGoodMs?: number | undefined;
  /** Good checks from then on, and the last of them. */
  good?: number;
  lastMs?: number;
  incidentId?: string | undefined;
};

export type Evaluation = Active | Inactive | { state: "unknown"; incidentId?: string | undefined };

export type Rule = {
  id: RuleId;
  /** Rules of one family are one incident with a cause: a new cause changes it. */
  family: string;
  severity: Severity;
  /** From the first bad check to the last. */
  forMs: Record<Scope, number>;
  minChecks: number;
  keepFiringForMs: number;
  /** While one of these fires for all of its endpoints, nothing new is opened. */
  inhibitedBy: readonly RuleId[];
};

/** One function a family; its evaluations name the rule. */
export type Evaluate = (context: RuleContext) => Evaluation[];

export const scopeOf = (endpoints: readonly EndpointId[]): Scope =>
  endpoints.length === endpointIds.length ? "api" : "endpoint";

export const isFiring = ({ state }: Incident) => state === "firing";

/** The first good check, or where another incident took its place; undefined while it lasts. */
export const endOf = ({ state, facts, resolvedAt }: Incident): string | undefined =>
  state === "resolved" ? (facts.firstGoodAfterAt ?? resolvedAt) : undefined;

/** Until when an endpoint was part of an incident, or undefined; Infinity while it is. */
export function lastsUntilMs(incident: Incident, endpoint: EndpointId): number | undefined {
  const recoveredAt = incident.recovered?.[endpoint];
  if (recoveredAt !== undefined) return Date.parse(recoveredAt);
  if (!incident.endpoints.includes(endpoint)) return undefined;
  return Date.parse(endOf(incident) ?? "") || Number.POSITIVE_INFINITY;
}

export const firingOf = ({ incidents }: RuleContext, ...rules: RuleId[]): Incident | undefined =>
  incidents.find((incident) => isFiring(incident) && rules.includes(incident.rule));

export function toFacts(active: Active, firstGoodMs: number | undefined): Facts {
  const { rule, scope, endpoints, firstBadMs, lastGoodMs, lastBadMs, bad, total, windowMs } = active;
  return {
    rule,
    scope,
    endpoints,
    bad,
    total,
    firstBadAt: instantText(firstBadMs),
    // In a share of checks, good ones lie between bad ones: only one before the first bad check bounds the onset.
    lastGoodBeforeAt: lastGoodMs === undefined || lastGoodMs >= firstBadMs ? null : instantText(lastGoodMs),
    lastBadAt: instantText(lastBadMs),
    firstGoodAfterAt: firstGoodMs === undefined ? null : instantText(firstGoodMs),
    windowSeconds: Math.max(0, Math.round((windowMs ?? lastBadMs - firstBadMs) / 1_000)),
    ...active.facts,
  };
}

// What the rules on V1's data share: warnings about one endpoint, from good checks in a row.
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
  bad: last.length,
  total: last.length,
});

/** A firing incident keeps its onset, though the first checks of it are no longer kept. */
export const keptOnset = (
  firing: Incident | undefined,
  firstBadMs: number,
  lastGoodMs: number | undefined,
) =>
  firing
    ? {
        firstBadMs: Math.min(Date.parse(firing.facts.firstBadAt), firstBadMs),
        lastGoodMs: firing.facts.lastGoodBeforeAt ? Date.parse(firing.facts.lastGoodBeforeAt) : undefined,
      }
    : { firstBadMs, lastGoodMs };
