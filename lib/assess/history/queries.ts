// Questions to the check history, in one place: what is the state of an endpoint, and how many checks failed since.

import { thresholds } from "../../config/thresholds.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import { isBad, isGood } from "../../records/outcome.ts";
import type { Check } from "./check.ts";
import type { EndpointHistory, Group, History, RollUp, Run, Tally } from "./types.ts";

export type Counts = { bad: number; total: number; responses: Tally };

export const checksOf = (history: History, endpoint: EndpointId): readonly Check[] =>
  history.endpoints[endpoint]?.checks ?? [];

export const hoursOf = (history: History, endpoint: EndpointId): readonly RollUp[] =>
  history.endpoints[endpoint]?.hours ?? [];

type Selection = { primary: Check[]; good: Check[]; judged: Check[] };

/** Selections of an endpoint's checks, for as long as none is added or confirmed: every rule uses them. */
const selections = new WeakMap<EndpointHistory, Selection>();

/** To be called when a check of the endpoint was added or confirmed. */
export const forgetSelection = (own: EndpointHistory): void => void selections.delete(own);

function select(history: History, endpoint: EndpointId): Selection {
  const own = history.endpoints[endpoint];
  if (!own) return { primary: [], good: [], judged: [] };
  const known = selections.get(own);
  if (known) return known;
  const primary = own.checks.filter(({ isPrimary }) => isPrimary);
  const made = {
    primary,
    good: primary.filter(isGood),
    judged: primary.filter((check) => isGood(check) || isBad(check)),
  };
  selections.set(own, made);
  return made;
}

export const primaryChecks = (history: History, endpoint: EndpointId): readonly Check[] =>
  select(history, endpoint).primary;

export const goodChecks = (history: History, endpoint: EndpointId): readonly Check[] =>
  select(history, endpoint).good;

/** Checks of all the given endpoints that are good or bad, in order of time. */
export function judgedChecks(history: History, endpoints: readonly EndpointId[], fromMs = 0): Check[] {
  return endpoints
    .flatMap((endpoint) => {
      const { judged } = select(history, endpoint);
      return judged.slice(judged.findLastIndex(({ atMs }) => atMs < fromMs) + 1);
    })
    .sort((a, b) => a.atMs - b.atMs);
}

export const runOf = (history: History, endpoint: EndpointId, group: Group = "primary"): Run | undefined =>
  history.endpoints[endpoint]?.runs[group];

/** Endpoints that were checked at all. */
export const watchedEndpoints = (history: History): EndpointId[] =>
  endpointIds.filter((endpoint) => runOf(history, endpoint) !== undefined);

const add = (into: Tally, more: Tally, sign: 1 | -1) => {
  for (const [label, count] of Object.entries(more)) into[label] = (into[label] ?? 0) + sign * count;
};

/** Checks from `fromMs` until `untilMs`, both included; older ones than are kept come from the transitions. */
export function countChecks(
  history: History,
  endpoints: readonly EndpointId[],
  fromMs: number,
  untilMs: number,
  group: Group = "primary",
): Counts {
  const responses: Tally = {};
  const isOld = fromMs < (history.lastMs ?? 0) - thresholds.checksKeptMs;
  const start = isOld
    ? history.transitions.find(({ atMs, tallies }) => tallies && atMs >= fromMs)
    : undefined;
  for (const endpoint of endpoints) {
    const own = history.endpoints[endpoint];
    if (!own) continue;
    const checks = own.checks.filter(
      (check) =>
        (group === "primary" ? check.isPrimary : check.variant === "anonymous" && !check.isPrimary) &&
        (isGood(check) || isBad(check)),
    );
    if (start) {
      add(responses, own.tallies[group], 1);
      add(responses, start.tallies?.[endpoint]?.[group] ?? {}, -1);
      for (const { atMs, label } of checks) if (atMs > untilMs) add(responses, { [label]: 1 }, -1);
    } else
      for (const { atMs, label } of checks)
        if (atMs >= fromMs && atMs <= untilMs) add(responses, { [label]: 1 }, 1);
  }
  for (const [label, count] of Object.entries(responses)) if (count <= 0) delete responses[label];
  const total = Object.values(responses).reduce((sum, count) => sum + count, 0);
  const { ok = 0, ...failed } = responses;
  return { bad: total - ok, total, responses: failed };
}

/** The first bad check of the endpoints from an instant on; Infinity where there is none. */
export function firstBadFrom(history: History, endpoints: readonly EndpointId[], fromMs: number): number {
  const bads = endpoints.flatMap((endpoint) => {
    const check = checksOf(history, endpoint).find(
      (one) => one.isPrimary && isBad(one) && one.atMs >= fromMs,
    );
    return check ? [check.atMs] : [];
  });
  const transitions = history.transitions.filter(
    ({ endpoint, group, to, atMs }) =>
      group === "primary" && to === "bad" && atMs >= fromMs && endpoints.includes(endpoint),
  );
  return Math.min(...bads, ...transitions.map(({ atMs }) => atMs));
}

export function lastGoodBefore(
  history: History,
  endpoints: readonly EndpointId[],
  beforeMs: number,
): number | undefined {
  const checks = endpoints.flatMap((endpoint) => {
    const check = checksOf(history, endpoint).findLast(
      (one) => one.isPrimary && isGood(one) && one.atMs < beforeMs,
    );
    return check ? [check.atMs] : [];
  });
  const transitions = history.transitions
    .filter(
      ({ endpoint, group, to, afterMs, atMs }) =>
        group === "primary" &&
        to === "bad" &&
        endpoints.includes(endpoint) &&
        afterMs < beforeMs &&
        afterMs < atMs,
    )
    .map(({ afterMs }) => afterMs);
  const all = [...checks, ...transitions];
  return all.length > 0 ? Math.max(...all) : undefined;
}

export const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

export const instantText = (ms: number): string => new Date(ms).toISOString();
