// What was asked → what the planner remembers. The order of the answers of one tick does not matter.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Failed, Ledger } from "../../ports.ts";
import { type Observation, type Variant, variants } from "../../records/observation.ts";
import {
  emptyProbeState,
  maxMonths,
  maxRecent,
  type ProbeState,
  type Suspicion,
} from "../../records/probe-state.ts";
import { monthOf } from "./budget.ts";
import { maxRetryAfterMs } from "./plan.ts";

export type RequestResult = {
  endpoint: EndpointId;
  variant: Variant;
  atMs: number;
  /** Sent in all: retries, and the look at the list for a sample. */
  requests: number;
  /** What the answer made suspect; left out where nothing. */
  why?: Suspicion;
  /** Stopped on the way, without a sample, or with nothing to ask: V1 may have been asked, and nothing was learned. */
  learnedNothing?: true;
  retryAfterSeconds?: number;
};

/** The longest deadline and the burst's window: an older request cannot matter to a burst. */
const recentMs = 70_000;

export function applyResults(probeState: ProbeState, done: readonly RequestResult[]): ProbeState {
  if (done.length === 0) return probeState;
  const booked = done.reduce((so, { atMs, requests }) => spend(so, monthOf(atMs), requests), probeState);
  const endpoints = { ...probeState.endpoints };
  for (const endpoint of endpointIds) {
    const own = done.filter((row) => row.endpoint === endpoint);
    if (own.length > 0) endpoints[endpoint] = applyEndpointResults(probeState.endpoints[endpoint], own);
  }
  return { ...remember(booked, done), endpoints };
}

/** Less than nothing gives back. */
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
    .filter(({ atMs }) => Math.abs(newestMs - atMs) <= recentMs)
    .sort((a, b) => a.atMs - b.atMs || a.requests - b.requests)
    .slice(-maxRecent);
  return { ...probeState, recent };
}

type EndpointState = NonNullable<ProbeState["endpoints"][EndpointId]>;

function applyEndpointResults(
  before: EndpointState | undefined,
  done: readonly RequestResult[],
): EndpointState {
  const lastMs = { ...before?.lastMs };
  for (const name of variants) {
    const instantsMs = done.filter((row) => row.variant === name).map(({ atMs }) => atMs);
    if (instantsMs.length > 0) lastMs[name] = Math.max(...instantsMs);
  }
  const waits = done.flatMap(({ atMs, retryAfterSeconds }) =>
    retryAfterSeconds === undefined ? [] : [atMs + Math.min(retryAfterSeconds * 1_000, maxRetryAfterMs)],
  );
  const notBeforeMs = waits.length > 0 ? Math.ceil(Math.max(...waits)) : before?.notBeforeMs;
  const suspicion = judge(before?.suspicion, done);
  return {
    lastMs,
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
    ...(suspicion ? { suspicion } : {}),
  };
}

/** A V1 that wants its key refuses whoever comes without one: no fault, and the assessment tells when it is new. */
const isSuspect = ({ variant: name, why }: RequestResult) =>
  !(name === "anonymous" && why === "unauthorized");

/** A fault is new once: the same one seen again is known, another one starts anew; only a authenticated answer clears. */
function judge(
  before: EndpointState["suspicion"],
  done: readonly RequestResult[],
): EndpointState["suspicion"] {
  const rank = (row: RequestResult) => variants.indexOf(row.variant);
  const [first] = done
    .filter(isSuspect)
    .flatMap((row) => (row.why ? [{ rank: rank(row), why: row.why, sinceMs: row.atMs }] : []))
    .sort((a, b) => a.rank - b.rank || a.sinceMs - b.sinceMs || (a.why < b.why ? -1 : 1));
  if (!first)
    return done.some((row) => row.variant === "authenticated" && !row.learnedNothing) ? undefined : before;
  return before?.why === first.why ? before : { why: first.why, sinceMs: first.sinceMs };
}

// The books of what V1 was asked have several writers: functions apart, a comparison, a probe by hand.
export type ProbeStateLedger = Pick<Ledger, "readProbeState" | "writeProbeState">;

const maxConflicts = 20;

/** Somebody else may have spent meanwhile: read again, change that, try again. The same state is no change. */
export async function updateProbeState(
  ledger: ProbeStateLedger,
  change: (probeState: ProbeState) => ProbeState,
): Promise<{ kind: "written" | "unchanged" } | Failed> {
  for (let conflicts = 0; conflicts < maxConflicts; conflicts++) {
    const known = await ledger.readProbeState();
    const before = known?.value ?? emptyProbeState;
    const after = change(before);
    if (after === before) return { kind: "unchanged" };
    const outcome = await ledger.writeProbeState(after, known?.version ?? 0);
    if (outcome.kind === "failed") return outcome;
    if (outcome.kind === "written") return { kind: "written" };
  }
  return { kind: "failed", why: "conflict" };
}

// Why the planner should look again soon.
/** Undefined where all is as it should be. */
export function findSuspicion({
  variant: name,
  outcome,
  findings,
  notices,
}: Observation): Suspicion | undefined {
  if (name === "unknown-id" || name === "bad-key") return undefined;
  if (outcome.detail === "no-sample") return undefined;
  if (outcome.kind !== "ok") return outcome.kind;
  if (notices.body === "v2-shaped" || notices.body === "stub-data") return "notice";
  return findings.some(({ level }) => level === "breaking") ? "drift" : undefined;
}
