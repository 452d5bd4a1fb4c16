// Applies the results of requests to the probe state. The order of the results of one tick does not matter.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Failed, Ledger } from "../../ports.ts";
import { type Observation, type Variant, variants } from "../../records/observation.ts";
import {
  type ConfirmationReason,
  emptyProbeState,
  maxMonths,
  maxRecent,
  type ProbeState,
} from "../../records/probe-state.ts";
import { monthOf } from "./budget.ts";
import { maxRetryAfterMs } from "./plan.ts";

export type RequestResult = {
  endpoint: EndpointId;
  variant: Variant;
  atMs: number;
  /** The number of requests sent, including retries and a list request for a sample. */
  requests: number;
  /** Why the check has to be confirmed. Absent when it succeeded. */
  why?: ConfirmationReason;
  /** The request was stopped, had no sample or was not sent, so its result does not measure V1. */
  isInconclusive?: true;
  retryAfterSeconds?: number;
};

/** The longest deadline plus the burst window. Older requests cannot affect the burst limit. */
const recentMs = 70_000;

export function applyResults(probeState: ProbeState, results: readonly RequestResult[]): ProbeState {
  if (results.length === 0) return probeState;
  const counted = results.reduce(
    (state, { atMs, requests }) => spend(state, monthOf(atMs), requests),
    probeState,
  );
  const endpoints = { ...probeState.endpoints };
  for (const endpoint of endpointIds) {
    const own = results.filter((result) => result.endpoint === endpoint);
    if (own.length > 0) endpoints[endpoint] = applyEndpointResults(probeState.endpoints[endpoint], own);
  }
  return { ...addRecent(counted, results), endpoints };
}

/** Adds to the month's request count. A negative number gives requests back. */
export function spend(probeState: ProbeState, month: string, requests: number): ProbeState {
  const spent = { ...probeState.spent, [month]: Math.max(0, (probeState.spent[month] ?? 0) + requests) };
  const months = Object.entries(spent).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...probeState, spent: Object.fromEntries(months.slice(-maxMonths)) };
}

/** Adds to the recent requests, which the burst limit counts. */
export function addRecent(
  probeState: ProbeState,
  sent: readonly Pick<RequestResult, "atMs" | "requests">[],
): ProbeState {
  const newestMs = Math.max(...sent.map(({ atMs }) => atMs));
  const recent = [...probeState.recent, ...sent.map(({ atMs, requests }) => ({ atMs, requests }))]
    .filter(({ atMs }) => Math.abs(newestMs - atMs) <= recentMs)
    .sort((a, b) => a.atMs - b.atMs || a.requests - b.requests)
    .slice(-maxRecent);
  return { ...probeState, recent };
}

type EndpointState = NonNullable<ProbeState["endpoints"][EndpointId]>;

function applyEndpointResults(
  before: EndpointState | undefined,
  results: readonly RequestResult[],
): EndpointState {
  const lastMs = { ...before?.lastMs };
  for (const name of variants) {
    const instantsMs = results.filter((result) => result.variant === name).map(({ atMs }) => atMs);
    if (instantsMs.length > 0) lastMs[name] = Math.max(...instantsMs);
  }
  const waitsUntilMs = results.flatMap(({ atMs, retryAfterSeconds }) =>
    retryAfterSeconds === undefined ? [] : [atMs + Math.min(retryAfterSeconds * 1_000, maxRetryAfterMs)],
  );
  const notBeforeMs = waitsUntilMs.length > 0 ? Math.ceil(Math.max(...waitsUntilMs)) : before?.notBeforeMs;
  const confirmation = updateConfirmation(before?.confirmation, results);
  return {
    lastMs,
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
    ...(confirmation ? { confirmation } : {}),
  };
}

/** A 401 without a key is expected from a V1 that requires one. The assessment reports when this is new. */
const needsConfirmation = ({ variant: name, why }: RequestResult) =>
  !(name === "anonymous" && why === "unauthorized");

/**
 * A repeated failure for the same reason keeps its start time, and another reason starts a new confirmation.
 * Only a successful authenticated check ends it.
 */
function updateConfirmation(
  before: EndpointState["confirmation"],
  results: readonly RequestResult[],
): EndpointState["confirmation"] {
  const rank = (result: RequestResult) => variants.indexOf(result.variant);
  const [first] = results
    .filter(needsConfirmation)
    .flatMap((result) => (result.why ? [{ rank: rank(result), why: result.why, sinceMs: result.atMs }] : []))
    .sort((a, b) => a.rank - b.rank || a.sinceMs - b.sinceMs || (a.why < b.why ? -1 : 1));
  if (!first)
    return results.some((result) => result.variant === "authenticated" && !result.isInconclusive)
      ? undefined
      : before;
  return before?.why === first.why ? before : { why: first.why, sinceMs: first.sinceMs };
}

// The probe state has several writers: the per-endpoint functions, `v1watch parity` and `v1watch probe`.
export type ProbeStateLedger = Pick<Ledger, "readProbeState" | "writeProbeState">;

const maxConflicts = 20;

/** Compare-and-set update: after a conflict the state is read again and the change is applied to it. */
export async function updateProbeState(
  ledger: ProbeStateLedger,
  change: (probeState: ProbeState) => ProbeState,
): Promise<{ kind: "written" | "unchanged" } | Failed> {
  for (let conflicts = 0; conflicts < maxConflicts; conflicts++) {
    const current = await ledger.readProbeState();
    const before = current?.value ?? emptyProbeState;
    const after = change(before);
    if (after === before) return { kind: "unchanged" };
    const outcome = await ledger.writeProbeState(after, current?.version ?? 0);
    if (outcome.kind === "failed") return outcome;
    if (outcome.kind === "written") return { kind: "written" };
  }
  return { kind: "failed", why: "conflict" };
}

/** Why the check has to be confirmed, or undefined when it succeeded. */
export function findConfirmationReason({
  variant: name,
  outcome,
  findings,
  notices,
}: Observation): ConfirmationReason | undefined {
  if (name === "unknown-id" || name === "bad-key") return undefined;
  if (outcome.detail === "no-sample") return undefined;
  if (outcome.kind !== "ok") return outcome.kind;
  if (notices.body === "v2-shaped" || notices.body === "stub-data") return "notice";
  return findings.some(({ level }) => level === "breaking") ? "drift" : undefined;
}
