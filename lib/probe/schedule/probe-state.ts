// What was requested → what the scheduler remembers. The order of the results of one tick does not matter.

import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../config/config.ts";
import { durationMs } from "../../config/durations.ts";
import { thresholds } from "../../config/thresholds.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Failed, Ledger } from "../../ports.ts";
import { type CheckReason, type Variant, variants } from "../../records/observation.ts";
import {
  type EndpointState,
  emptyProbeState,
  type FailureKind,
  maxMonths,
  maxPending,
  maxRecent,
  type PendingCheck,
  type ProbeState,
  refusedSinceMs,
} from "../../records/probe-state.ts";
import { isReserveSpent, monthOf } from "./budget.ts";
import { confirmationSteps, maxRetryAfterMs, recoverySteps } from "./plan.ts";

export type RequestResult = {
  endpoint: EndpointId;
  /** As planned: `authenticated` is the primary one, also where no key is configured. */
  variant: Variant;
  reason: CheckReason;
  atMs: number;
  /** Sent in all: retries, and the request for the list that finds a sample. */
  requests: number;
  slotMs?: number;
  /** Absent where the result says nothing about V1: it was stopped, had no sample, had nothing to request. */
  isGood?: boolean;
  /** How it failed, where it is not good. */
  kind?: FailureKind;
  /** What was bad of a body, as short hashes; a known difference from the document is not confirmed again. */
  faults?: string[];
  retryAfterSeconds?: number;
};

/** The longest deadline and the burst's window: an older request cannot matter to a burst. */
const recentMs = 70_000;

/** A fault of the body that was seen in this time is known. */
const knownFaultMs = 24 * 3_600_000;
const maxFaults = 40;

/** A single bad check needs no proof of recovery: no incident is about it. */
const recoveryAfterChecks = 2;

/** Failures that alternate between two kinds are confirmed once in this time, so that they do not spend the reserve. */
const changeConfirmedAgainMs = 6 * 3_600_000;

export function applyResults(
  probeState: ProbeState,
  results: readonly RequestResult[],
  { tickMs, config }: { tickMs: number; config: Config },
): ProbeState {
  if (results.length === 0) return probeState;
  const counted = results.reduce((so, { atMs, requests }) => spend(so, monthOf(atMs), requests), probeState);
  const endpoints = { ...probeState.endpoints };
  for (const endpoint of endpointIds) {
    const own = results.filter((row) => row.endpoint === endpoint);
    if (own.length > 0) endpoints[endpoint] = applyEndpointResults(probeState.endpoints[endpoint], own);
  }
  const after = { ...remember(counted, results), endpoints };
  const isSpent = isReserveSpent(tickMs, after, config);
  const pending = isSpent ? [] : queueChecks(probeState, after, results, tickMs, config);
  return { ...after, pending, isReserveSpent: isSpent };
}

/** A negative number gives requests back. */
export function spend(probeState: ProbeState, month: string, requests: number): ProbeState {
  const spent = { ...probeState.spent, [month]: Math.max(0, (probeState.spent[month] ?? 0) + requests) };
  const months = Object.entries(spent).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...probeState, spent: Object.fromEntries(months.slice(-maxMonths)) };
}

/** For the limit on bursts. */
export function remember(
  probeState: ProbeState,
  made: readonly Pick<RequestResult, "atMs" | "requests">[],
): ProbeState {
  const newestMs = Math.max(...made.map(({ atMs }) => atMs));
  const recent = [...probeState.recent, ...made.map(({ atMs, requests }) => ({ atMs, requests }))]
    .filter(({ atMs, requests }) => requests > 0 && Math.abs(newestMs - atMs) <= recentMs)
    .sort((a, b) => a.atMs - b.atMs || a.requests - b.requests)
    .slice(-maxRecent);
  return { ...probeState, recent };
}

const isPrimary = ({ variant }: RequestResult) => variant === "authenticated";

function applyEndpointResults(
  before: EndpointState | undefined,
  results: readonly RequestResult[],
): EndpointState {
  const last = { ...before?.last };
  for (const name of variants) {
    const rows = results.filter((row) => row.variant === name);
    if (rows.length === 0) continue;
    const known = rows.filter(({ isGood }) => isGood !== undefined);
    last[name] = {
      atMs: Math.max(...rows.map(({ atMs }) => atMs)),
      ...(known.length > 0 && { isGood: known.every(({ isGood }) => isGood) }),
    };
  }
  const waitMs = retryAfterMs(results);
  const latestMs = Math.max(...results.map(({ atMs }) => atMs));
  const notBeforeMs = waitMs === undefined ? before?.notBeforeMs : Math.ceil(latestMs + waitMs);
  const slots = results.flatMap(({ slotMs }) => (slotMs === undefined ? [] : [slotMs]));
  const slotMs = slots.length > 0 ? Math.max(...slots) : before?.slotMs;
  const primary = results.filter((row) => isPrimary(row) && row.isGood !== undefined);
  const faults = noteFaults(before?.faults, primary);
  const bad = primary.length > 0 ? noteRun(before, primary) : before?.bad;
  return {
    ...(slotMs !== undefined && { slotMs }),
    last,
    ...(bad && { bad }),
    ...(faults && { faults }),
    ...(notBeforeMs !== undefined && { notBeforeMs }),
  };
}

function retryAfterMs(results: readonly RequestResult[]): number | undefined {
  const waits = results.flatMap(({ retryAfterSeconds }) =>
    retryAfterSeconds === undefined ? [] : [Math.min(retryAfterSeconds * 1_000, maxRetryAfterMs)],
  );
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

/** The run of bad checks after these; undefined where they were good. */
function noteRun(before: EndpointState | undefined, primary: readonly RequestResult[]): EndpointState["bad"] {
  const bad = primary.filter(({ isGood }) => !isGood);
  if (bad.length === 0) return undefined;
  const run = before?.bad;
  const atMs = Math.min(...bad.map((row) => row.atMs));
  const kind = bad.map((row) => row.kind ?? "failed").sort()[0]!;
  const isChanged = run !== undefined && run.kind !== kind;
  const confirmedMs = run?.changeConfirmedMs;
  const isConfirmed =
    isChanged && (confirmedMs === undefined || Math.abs(atMs - confirmedMs) >= changeConfirmedAgainMs);
  return {
    sinceMs: run?.sinceMs ?? atMs,
    checks: (run?.checks ?? 0) + bad.length,
    isNew: run?.isNew || bad.some((row) => isNewFault(before, row)),
    kind,
    kindSinceMs: run && !isChanged ? run.kindSinceMs : atMs,
    ...(isConfirmed
      ? { changeConfirmedMs: atMs }
      : confirmedMs !== undefined && { changeConfirmedMs: confirmedMs }),
  };
}

/** A failed request is always new; a body that differs only in known ways is not. */
function isNewFault(before: EndpointState | undefined, { faults, atMs }: RequestResult): boolean {
  if (!faults || faults.length === 0) return true;
  return faults.some((fault) => {
    const seenMs = before?.faults?.[fault];
    return seenMs === undefined || Math.abs(atMs - seenMs) > knownFaultMs;
  });
}

function noteFaults(
  before: EndpointState["faults"],
  primary: readonly RequestResult[],
): EndpointState["faults"] {
  const seen = { ...before };
  for (const { faults = [], atMs } of primary)
    for (const fault of faults) seen[fault] = Math.max(atMs, seen[fault] ?? 0);
  const latestMs = Math.max(0, ...primary.map(({ atMs }) => atMs));
  const kept = Object.entries(seen)
    .filter(([, atMs]) => primary.length === 0 || Math.abs(latestMs - atMs) <= knownFaultMs)
    .sort(([a, aMs], [b, bMs]) => bMs - aMs || (a < b ? -1 : 1));
  return kept.length > 0 ? Object.fromEntries(kept.slice(0, maxFaults)) : undefined;
}

// Extra checks: a first bad scheduled check is confirmed, the first good check after bad ones as well.
function queueChecks(
  before: ProbeState,
  after: ProbeState,
  results: readonly RequestResult[],
  tickMs: number,
  config: Config,
): PendingCheck[] {
  const unitMs = durationMs(config.cadence.confirm);
  const added: PendingCheck[] = [];
  const add = (endpoint: EndpointId, reason: CheckReason, step: number, more: Partial<PendingCheck> = {}) =>
    added.push({ endpoint, variant: "authenticated", atMs: tickMs + step * unitMs, reason, ...more });
  const wasBad = (endpoint: EndpointId) => before.endpoints[endpoint]?.bad;
  const isBad = (endpoint: EndpointId) => after.endpoints[endpoint]?.bad;

  const isChanged = (endpoint: EndpointId) =>
    isBad(endpoint)?.changeConfirmedMs !== wasBad(endpoint)?.changeConfirmedMs;
  const isToConfirm = (endpoint: EndpointId) => {
    const run = isBad(endpoint);
    if (run?.isNew && (!wasBad(endpoint)?.isNew || isChanged(endpoint))) return true;
    // While a rate fires, an outage needs more failures in a row, and known ones count too.
    return before.isRateFiring && run !== undefined && run.checks < thresholds.duringRateChecks;
  };
  const failed = endpointIds.filter(
    (endpoint) =>
      isToConfirm(endpoint) &&
      results.some((row) => row.endpoint === endpoint && isPrimary(row) && row.reason === "scheduled"),
  );
  if (failed.length > 0) {
    const confirmed = before.isRateFiring ? failed : endpointIds;
    const [first, second, ...later] = confirmationSteps;
    for (const endpoint of confirmed) {
      add(endpoint, "confirmation", first);
      if (before.isRateFiring) continue;
      add(endpoint, "confirmation", second, { condition: "any-bad" });
      for (const step of later) add(endpoint, "confirmation", step, { condition: "some-bad" });
    }
  }

  // Whether anonymous requests are refused as well decides the cause: a change of that is confirmed. Where they are
  // served again, the key may be accepted again too.
  const hasAnonymousChanged = (endpoint: EndpointId) => {
    const [last, next] = [before, after].map(({ endpoints }) => endpoints[endpoint]?.last.anonymous?.isGood);
    return last !== undefined && next !== undefined && last !== next;
  };
  const changed = endpointIds.filter(
    (one) => refusedSinceMs(before, one) !== undefined && hasAnonymousChanged(one),
  );
  if (changed.length > 0) {
    const isServedAgain = changed.some((one) => after.endpoints[one]?.last.anonymous?.isGood);
    for (const endpoint of endpointIds) {
      add(endpoint, "confirmation", confirmationSteps[0], { variant: "anonymous" });
      if (isServedAgain) add(endpoint, "confirmation", confirmationSteps[0]);
    }
  }

  // While a rate fires, single failures come and go: there is no outage whose end is to be proven.
  const hasRecovered = (endpoint: EndpointId) => {
    const run = wasBad(endpoint);
    return !before.isRateFiring && run?.isNew && run.checks >= recoveryAfterChecks && !isBad(endpoint);
  };
  if (endpointIds.some(hasRecovered)) {
    const isWaiting = (endpoint: EndpointId) =>
      before.pending.some((check) => check.endpoint === endpoint && check.reason === "recovery");
    for (const endpoint of endpointIds) {
      const run = isBad(endpoint);
      const isStillBad = run?.isNew && run.sinceMs < tickMs;
      if (!(hasRecovered(endpoint) || isStillBad) || isWaiting(endpoint)) continue;
      for (const step of recoverySteps) add(endpoint, "recovery", step);
    }
  }

  return [...before.pending, ...added]
    .sort(byTime)
    .filter(
      ({ endpoint, variant, atMs }, index, sorted) =>
        sorted.findIndex(
          (one) => one.endpoint === endpoint && one.variant === variant && one.atMs === atMs,
        ) === index,
    )
    .slice(0, maxPending);
}

const conditions = [undefined, "any-bad", "some-bad"] as const;

/** Of two checks of one endpoint at one instant the one without a condition comes first. */
const byTime = (a: PendingCheck, b: PendingCheck) =>
  a.atMs - b.atMs ||
  endpointIds.indexOf(a.endpoint) - endpointIds.indexOf(b.endpoint) ||
  conditions.indexOf(a.condition) - conditions.indexOf(b.condition) ||
  (a.reason > b.reason ? -1 : 1);

// The probe state has several writers: one function for each endpoint, a comparison, a probe by hand.
export type ProbeStateLedger = Pick<Ledger, "readProbeState" | "writeProbeState">;

const maxConflicts = 20;
/** The longest wait after a conflict: hundreds of workers of a comparison write at once. */
const maxWaitMs = 1_000;

/** Compare and set: where somebody else has written meanwhile, that state is read and changed in turn. */
export async function updateProbeState(
  ledger: ProbeStateLedger,
  change: (probeState: ProbeState) => ProbeState,
): Promise<{ kind: "written" | "unchanged"; value: ProbeState } | Failed> {
  for (let conflicts = 0; conflicts < maxConflicts; conflicts++) {
    const known = await ledger.readProbeState();
    const before = known?.value ?? emptyProbeState;
    const value = change(before);
    if (value === before) return { kind: "unchanged", value };
    const outcome = await ledger.writeProbeState(value, known?.version ?? 0);
    if (outcome.kind === "failed") return outcome;
    if (outcome.kind === "written") return { kind: "written", value };
    // Exponential backoff with full jitter.
    await pause(Math.random() * Math.min(maxWaitMs, 2 ** conflicts));
  }
  return { kind: "failed", why: "conflict" };
}
