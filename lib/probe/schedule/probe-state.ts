// What was requested → what the scheduler remembers. The order of the results of one tick does not matter.

import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../config/config.ts";
import { durationMs } from "../../config/durations.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Failed, Ledger } from "../../ports.ts";
import { type CheckReason, type Variant, variants } from "../../records/observation.ts";
import type { ResponseClass } from "../../records/outcome.ts";
import {
  type Confirmation,
  type EndpointState,
  emptyProbeState,
  maxConfirmations,
  maxMonths,
  maxPending,
  maxRecent,
  type PendingCheck,
  type ProbeState,
} from "../../records/probe-state.ts";
import { isReserveSpent, monthOf } from "./budget.ts";
import { confirmationSteps, longLook, maxRetryAfterMs, type PlannedRequest } from "./plan.ts";

export type RequestResult = {
  endpoint: EndpointId;
  /** As planned: `authenticated` is the primary one, also where no key is configured. */
  variant: Variant;
  reason: CheckReason;
  atMs: number;
  /** Sent in all: retries, and the request for the list that finds a sample. */
  requests: number;
  slotMs?: number | undefined;
  /** It was due, and the budget had no request for it. */
  notSent?: "budget" | undefined;
  /** Absent where the result says nothing about V1: it was stopped, had no sample, had nothing to request. */
  class?: ResponseClass | undefined;
  /** Of a response that was served: the breaking differences from V1's document, as one short hash. */
  findings?: string | undefined;
  /** Keyed hash of the sample that was requested. */
  sample?: string | undefined;
  retryAfterSeconds?: number | undefined;
  /** The date of the Sunset header. */
  sunset?: string | undefined;
};

/** The longest deadline and the burst's window: an older request cannot matter to a burst. */
const recentMs = 70_000;

/** A change that flips back so soon is not confirmed, in multiples of `cadence.confirm`. */
const flipBackSteps = 2;

/** After so many changes in a day that did not last, one look at the endpoint is enough. */
const maxShortChanges = 6;
const longFailureMs = 3_600_000;
const confirmedForMs = 24 * 3_600_000;
const maxFindings = 12;
/** Looks of a rare variant that are counted. */
const maxLooks = 3;

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
  const change = { before: probeState, after, results, tickMs };
  const queued = queueChecks(change, config);
  return { ...after, ...queued, pending: isSpent ? [] : queued.pending, isReserveSpent: isSpent };
}

/** More in a row make no difference. */
const maxInARow = 30;

/** The requests of a plan are counted before they are sent: a process that dies leaves too many counted, never too few. */
export function book(
  probeState: ProbeState,
  requests: readonly Pick<PlannedRequest, "endpoint">[],
  tickMs: number,
): ProbeState {
  if (requests.length === 0) return probeState;
  const known = probeState.bookings ?? {};
  const booked = [...Map.groupBy(requests, (one) => one.endpoint)].map(([endpoint, own]) => {
    const inARow = Math.min(maxInARow, (known[endpoint]?.inARow ?? 0) + 1);
    return { endpoint, booking: { atMs: tickMs, requests: own.length, inARow } };
  });
  const counted = spend(probeState, monthOf(tickMs), requests.length);
  const added = Object.fromEntries(booked.map(({ endpoint, booking }) => [endpoint, booking]));
  const made = booked.map(({ booking }) => booking);
  return { ...remember(counted, made), bookings: { ...known, ...added } };
}

/** Takes back what a tick has booked: what it has sent is counted in its place. */
export function settle(probeState: ProbeState, tickMs: number, endpoints: readonly EndpointId[]): ProbeState {
  const bookings = { ...probeState.bookings };
  let { recent } = probeState;
  let requests = 0;
  for (const endpoint of endpoints) {
    const booking = bookings[endpoint];
    if (booking?.atMs !== tickMs) continue;
    requests += booking.requests;
    const index = recent.findIndex((one) => one.atMs === tickMs && one.requests === booking.requests);
    if (index >= 0) recent = recent.toSpliced(index, 1);
    delete bookings[endpoint];
  }
  return requests === 0 ? probeState : { ...spend(probeState, monthOf(tickMs), -requests), recent, bookings };
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
  all: readonly RequestResult[],
): EndpointState {
  const results = all.filter(({ notSent }) => notSent === undefined);
  const unsent = all.filter(({ notSent }) => notSent !== undefined);
  const notSentSlotMs = unsent.at(-1)?.slotMs ?? before?.notSentSlotMs;
  if (results.length === 0) return { ...before, last: before?.last ?? {}, notSentSlotMs };
  const last = { ...before?.last };
  const primary = latestOf(results.filter((row) => isPrimary(row) && row.class !== undefined));
  const primaryClass = primary?.class ?? before?.last.authenticated?.class;
  for (const name of variants) {
    const rows = results.filter((row) => row.variant === name);
    const latest = latestOf(rows.filter((row) => row.class !== undefined)) ?? latestOf(rows);
    if (!latest) continue;
    last[name] = {
      atMs: Math.max(...rows.map(({ atMs }) => atMs)),
      // What says nothing about V1, or about the variant, leaves what is known of it.
      class: (isTelling(name, primaryClass) && latest.class) || last[name]?.class,
      looks: name === "authenticated" ? undefined : Math.min(maxLooks, (last[name]?.looks ?? 0) + 1),
    };
  }
  const waitMs = retryAfterMs(results);
  const latestMs = Math.max(...results.map(({ atMs }) => atMs));
  const slots = results.flatMap(({ slotMs }) => (slotMs === undefined ? [] : [slotMs]));
  const isRefused = primary?.class === "unauthorized" || primary?.class === "quota";
  return {
    slotMs: slots.length > 0 ? Math.max(...slots) : before?.slotMs,
    notSentSlotMs,
    last,
    findings: noteFindings(before?.findings, primary),
    sample: primary ? primary.sample : before?.sample,
    classSinceMs:
      primary && primary.class !== before?.last.authenticated?.class ? primary.atMs : before?.classSinceMs,
    failingSinceMs: primary
      ? primary.class === "ok"
        ? undefined
        : (before?.failingSinceMs ?? primary.atMs)
      : before?.failingSinceMs,
    refusedSinceMs: primary
      ? isRefused
        ? (before?.refusedSinceMs ?? primary.atMs)
        : undefined
      : before?.refusedSinceMs,
    notBeforeMs: waitMs === undefined ? before?.notBeforeMs : Math.ceil(latestMs + waitMs),
    // A failure without the header says nothing about the date.
    sunset: primary?.sunset ?? (primary?.class === "ok" ? undefined : before?.sunset),
  };
}

/** Where the endpoint itself fails, its variants do too. Whether the key alone is refused is another question. */
export const isTelling = (variant: Variant, primary: ResponseClass | undefined): boolean =>
  variant === "authenticated" ||
  primary === undefined ||
  primary === "ok" ||
  (variant === "anonymous" && (primary === "unauthorized" || primary === "quota"));

/** A second opinion comes after what it is about. */
const latestOf = (rows: readonly RequestResult[]): RequestResult | undefined =>
  rows
    .toSorted(
      (a, b) =>
        a.atMs - b.atMs ||
        Number(a.reason === "second-opinion") - Number(b.reason === "second-opinion") ||
        ((a.class ?? "") < (b.class ?? "") ? -1 : 1),
    )
    .at(-1);

function noteFindings(
  before: EndpointState["findings"],
  primary: RequestResult | undefined,
): EndpointState["findings"] {
  if (primary?.findings === undefined) return before;
  const { [primary.sample ?? ""]: _, ...others } = before ?? {};
  const kept = Object.entries(others).slice(1 - maxFindings);
  return { ...Object.fromEntries(kept), [primary.sample ?? ""]: primary.findings };
}

function retryAfterMs(results: readonly RequestResult[]): number | undefined {
  const waits = results.flatMap(({ retryAfterSeconds }) =>
    retryAfterSeconds === undefined ? [] : [Math.min(retryAfterSeconds * 1_000, maxRetryAfterMs)],
  );
  return waits.length > 0 ? Math.max(...waits) : undefined;
}

// Extra checks: whatever changes, in either direction, is confirmed; what stays as it is, is not. Nothing is judged here.
type TickChange = {
  before: ProbeState;
  after: ProbeState;
  results: readonly RequestResult[];
  tickMs: number;
};

function queueChecks(
  change: TickChange,
  config: Config,
): Pick<ProbeState, "pending" | "confirmations" | "variantConfirmedMs"> {
  const { before, after, results, tickMs } = change;
  const unitMs = durationMs(config.cadence.confirm);
  const confirmations = (before.confirmations ?? []).filter(
    ({ atMs }) => Math.abs(tickMs - atMs) < confirmedForMs,
  );
  const added: PendingCheck[] = [];
  const changed = endpointIds.filter(
    (endpoint) =>
      results.some((row) => row.endpoint === endpoint && isPrimary(row) && row.class !== undefined) &&
      isChanged(before.endpoints[endpoint], after.endpoints[endpoint]),
  );
  for (const endpoint of changed) {
    const current = confirmations.at(-1);
    const sinceMs = current === undefined ? Infinity : tickMs - current.atMs;
    // The one that runs looks at all endpoints.
    if (current && !current.isSmall && sinceMs < confirmationSteps[1] * unitMs) continue;
    if (current?.endpoint === endpoint && sinceMs <= flipBackSteps * unitMs) continue;
    const isShort = confirmations.filter(({ hasLasted }) => hasLasted === false).length >= maxShortChanges;
    const isSmall = isShort && !isLongFailureOver(before.endpoints[endpoint], tickMs);
    confirmations.push({
      atMs: tickMs,
      endpoint,
      isSmall,
      before: isSmall ? undefined : snapshot(before),
      hasLasted: isSmall ? false : undefined,
    });
    added.push(...confirmChange(endpoint, isSmall, change, unitMs));
  }
  const isVariantDue = Math.abs(tickMs - (before.variantConfirmedMs ?? 0)) >= confirmationSteps[1] * unitMs;
  const variantChecks = isVariantDue ? confirmVariants(change, unitMs) : [];
  const looks = lookLong(change, confirmations, config);
  const pending = [...before.pending, ...added, ...looks, ...variantChecks]
    .sort(byTime)
    .filter(
      ({ endpoint, variant, atMs }, index, sorted) =>
        sorted.findIndex(
          (one) => one.endpoint === endpoint && one.variant === variant && one.atMs === atMs,
        ) === index,
    )
    .slice(0, maxPending);
  return {
    pending,
    confirmations: confirmations.slice(-maxConfirmations),
    variantConfirmedMs: variantChecks.length > 0 ? tickMs : before.variantConfirmedMs,
  };
}

/** What fails for hours within a day of another change is looked at until it is no chance that each check was bad. */
function lookLong(
  { before, after, tickMs }: TickChange,
  confirmations: readonly Confirmation[],
  { cadence }: Config,
): PendingCheck[] {
  const longMs = Math.max(longLook.afterMs, longLook.afterRounds * durationMs(cadence.calm));
  const isLong = ({ failingSinceMs, last }: EndpointState) =>
    failingSinceMs !== undefined && (last.authenticated?.atMs ?? 0) - failingSinceMs >= longMs;
  const unitMs = durationMs(cadence.confirm);
  const hasChanged = ({ failingSinceMs = 0 }: EndpointState) =>
    confirmations.some(({ atMs }) => atMs < failingSinceMs - Math.max(...confirmationSteps) * unitMs);
  const now = endpointIds.filter((endpoint) => {
    const [then, own] = [before.endpoints[endpoint], after.endpoints[endpoint]];
    return own && isLong(own) && !(then && isLong(then)) && hasChanged(own);
  });
  return now.flatMap((endpoint) =>
    Array.from({ length: longLook.checks }, (_, index) => ({
      endpoint,
      variant: "authenticated" as const,
      atMs: tickMs + (index + 1) * longLook.steps * unitMs,
      reason: "confirmation" as const,
      condition: "failing" as const,
    })),
  );
}

/** The end of a failure that lasted is confirmed in full, however often others flipped. */
const isLongFailureOver = (before: EndpointState | undefined, tickMs: number): boolean =>
  before?.last.authenticated?.class !== "ok" &&
  Math.abs(tickMs - (before?.classSinceMs ?? tickMs)) >= longFailureMs;

/** The class, or the differences from the document of the same sample; the first check of all is no change. */
function isChanged(before: EndpointState | undefined, after: EndpointState | undefined): boolean {
  const [then, now] = [before?.last.authenticated?.class, after?.last.authenticated?.class];
  if (then === undefined) return now !== undefined && now !== "ok";
  if (then !== now) return true;
  const sample = after?.sample ?? "";
  const known = before?.findings?.[sample];
  return now === "ok" && known !== undefined && known !== after?.findings?.[sample];
}

const snapshot = ({ endpoints }: ProbeState): Confirmation["before"] =>
  Object.fromEntries(
    Object.entries(endpoints).map(([endpoint, { last, findings }]) => [
      endpoint,
      { class: last.authenticated?.class, findings },
    ]),
  );

function confirmChange(
  changed: EndpointId,
  isSmall: boolean,
  { after, tickMs }: TickChange,
  unitMs: number,
): PendingCheck[] {
  const isGood = after.endpoints[changed]?.last.authenticated?.class === "ok";
  const reason: CheckReason = isGood ? "recovery" : "confirmation";
  const [first, second, ...later] = confirmationSteps;
  const add = (endpoint: EndpointId, step: number, condition?: PendingCheck["condition"]): PendingCheck => ({
    endpoint,
    variant: "authenticated",
    atMs: tickMs + step * unitMs,
    reason,
    confirmationMs: tickMs,
    condition,
  });
  if (isSmall) return [add(changed, first)];
  return endpointIds.flatMap((endpoint) => [
    add(endpoint, first),
    add(endpoint, second, "differs"),
    ...later.map((step) => add(endpoint, step, "differs-alone")),
  ]);
}

/** Rare variants are confirmed too; whether anonymous requests are refused is a question to all endpoints. */
function confirmVariants({ before, after, results, tickMs }: TickChange, unitMs: number): PendingCheck[] {
  return results
    .filter((row) => !isPrimary(row) && row.class !== undefined)
    .filter(({ endpoint, variant }) => {
      const then = before.endpoints[endpoint]?.last[variant]?.class;
      return then !== undefined && then !== after.endpoints[endpoint]?.last[variant]?.class;
    })
    .flatMap(({ endpoint, variant }) => {
      if (variant !== "anonymous") return [{ one: endpoint, variant }];
      // Where the key is refused, it is asked again beside: V1 may be back, or the key alone be refused.
      const isRefused = after.endpoints[endpoint]?.refusedSinceMs !== undefined;
      const asked: Variant[] = isRefused ? [variant, "authenticated"] : [variant];
      return endpointIds.flatMap((one) => asked.map((name) => ({ one, variant: name })));
    })
    .flatMap(({ one, variant }) =>
      [confirmationSteps[0], confirmationSteps[1]].map((step) => ({
        endpoint: one,
        variant,
        atMs: tickMs + step * unitMs,
        reason: "confirmation" as const,
      })),
    );
}

const conditions = [undefined, "differs", "differs-alone", "failing"] as const;

/** Of two checks of one endpoint at one instant the one without a condition comes first. */
const byTime = (a: PendingCheck, b: PendingCheck) =>
  a.atMs - b.atMs ||
  endpointIds.indexOf(a.endpoint) - endpointIds.indexOf(b.endpoint) ||
  conditions.indexOf(a.condition) - conditions.indexOf(b.condition) ||
  (a.reason > b.reason ? -1 : 1);

// The probe state has several writers: one function for each endpoint, a comparison, a probe by hand.
export type ProbeStateLedger = Pick<Ledger, "readProbeState" | "writeProbeState">;

const maxConflicts = 20;
/** The longest wait after a conflict. */
const maxWaitMs = 1_000;

type Updated = { kind: "written" | "unchanged"; value: ProbeState } | Failed;

/** The latest change of each ledger: those of one process follow each other, also while the store refuses them. */
const latestOfLedger = new WeakMap<ProbeStateLedger, Promise<unknown>>();

function inTurn<T>(ledger: ProbeStateLedger, work: () => Promise<T>): Promise<T> {
  const done = (latestOfLedger.get(ledger) ?? Promise.resolve()).then(work);
  latestOfLedger.set(
    ledger,
    done.catch(() => {}),
  );
  return done;
}

export const readProbeState = (ledger: ProbeStateLedger): Promise<ProbeState> =>
  inTurn(ledger, async () => (await ledger.readProbeState())?.value ?? emptyProbeState);

/** Compare and set: where somebody else has written meanwhile, that state is read and changed in turn. */
export const updateProbeState = (
  ledger: ProbeStateLedger,
  change: (probeState: ProbeState) => ProbeState,
): Promise<Updated> => inTurn(ledger, () => compareAndSet(ledger, change));

async function compareAndSet(
  ledger: ProbeStateLedger,
  change: (probeState: ProbeState) => ProbeState,
): Promise<Updated> {
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
