// One tick of a prober: plan within the budget, book, request, and remember what was spent and what is due next.
import { randomBytes } from "node:crypto";
import type { Config } from "../config/config.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Failed, KeyResult } from "../ports.ts";
import type { Observation } from "../records/observation.ts";
import type { ProbeState } from "../records/probe-state.ts";
import { type ProbeInput, probe } from "./probe.ts";
import { applySamples } from "./samples.ts";
import { computeCadenceMs } from "./schedule/budget.ts";
import { findNextTick, forgetDue, planRequests } from "./schedule/plan.ts";
import {
  applyResults,
  book,
  type ProbeStateLedger,
  type RequestResult,
  readProbeState,
  settle,
  updateProbeState,
} from "./schedule/probe-state.ts";

export type TickInput = Pick<
  ProbeInput,
  | "nowMs"
  | "proxy"
  | "allowLoopback"
  | "signal"
  | "transport"
  | "onObservation"
  | "onResponse"
  | "onChecked"
  | "listed"
> & {
  tickMs: number;
  config: Config;
  ledger: ProbeStateLedger;
  readKey(): Promise<KeyResult>;
  /** Where each endpoint has a loop or a function of its own. */
  only?: EndpointId | undefined;
};

export type TickResult = {
  observations: Observation[];
  deferred: string[];
  /** The probe state could not be written. */
  unsaved?: Failed | undefined;
  nextTickMs: number;
  /** The next tick of each endpoint: a change in one is confirmed by checks of all. */
  nextTicksMs: Record<EndpointId, number>;
};

/** A scheduler's clock is the plan's: a start that was late must not push the next one out. */
function alignToTick(row: RequestResult, tickMs: number): RequestResult {
  return row.retryAfterSeconds === undefined ? { ...row, atMs: Math.min(row.atMs, tickMs) } : row;
}

export async function runTick(input: TickInput): Promise<TickResult> {
  const { tickMs, config, ledger, only } = input;
  const known = await readProbeState(ledger);
  let plan = planRequests(tickMs, known, config, only);
  const scope = only ? [only] : endpointIds;
  /** Extra checks that were due are either in the plan or not made. */
  const close = (probeState: ProbeState) => forgetDue(probeState, tickMs, config, scope);
  if (plan.requests.length + plan.notSent.length === 0) {
    const after = close(known);
    if (after !== known) await updateProbeState(ledger, close);
    return {
      observations: [],
      deferred: plan.deferred,
      ...findNextTicks(tickMs, after, config, only),
    };
  }
  const key = await input.readKey();
  const hashKey = known.hashKey ?? (await createHashKey(ledger));
  // Planned from the same state in which they are booked, so that a second run of this tick plans nothing. If the store refuses
  // the booking, the checks are made all the same.
  await updateProbeState(ledger, (probeState) => {
    plan = planRequests(tickMs, probeState, config, only);
    return book(probeState, plan.requests, tickMs);
  }).catch(() => {});
  const { requests, notSent, deferred } = plan;
  const booked = [...new Set(requests.map(({ endpoint }) => endpoint))];
  const probed = await probe({
    ...input,
    plan: { requests: [...requests, ...notSent] },
    key,
    samples: known.samples,
    sunsets: Object.values(known.endpoints).flatMap(({ sunset }) => sunset ?? []),
    hashKey,
  });
  const results = only ? probed.results.map((row) => alignToTick(row, tickMs)) : probed.results;
  const change = (probeState: ProbeState): ProbeState => {
    const settled = close(settle(probeState, tickMs, booked));
    const sampled = applySamples(settled, config, probed.samples, tickMs);
    const after = applyResults(sampled, results, { tickMs, config });
    return { ...after, cadenceMs: computeCadenceMs(tickMs, after, config) };
  };
  // A store that fails here must not lose what was observed.
  const saved = await updateProbeState(ledger, change).catch(
    (error: unknown): Failed => ({ kind: "failed", why: (error as Error)?.message ?? String(error) }),
  );
  const after = saved.kind === "failed" ? change(known) : saved.value;
  return {
    observations: probed.observations,
    deferred,
    unsaved: saved.kind === "failed" ? saved : undefined,
    ...findNextTicks(tickMs, after, config, only),
  };
}

function findNextTicks(
  tickMs: number,
  probeState: ProbeState,
  config: Config,
  only: EndpointId | undefined,
): Pick<TickResult, "nextTickMs" | "nextTicksMs"> {
  const nextTicks = endpointIds.map((endpoint) => [
    endpoint,
    findNextTick(tickMs, probeState, config, endpoint),
  ]);
  return {
    nextTickMs: findNextTick(tickMs, probeState, config, only),
    nextTicksMs: Object.fromEntries(nextTicks) as TickResult["nextTicksMs"],
  };
}

/** Once for an installation; undefined where the store takes nothing, so that no hash is made with a lost key. */
async function createHashKey(ledger: ProbeStateLedger): Promise<string | undefined> {
  const hashKey = randomBytes(24).toString("base64url");
  const written = await updateProbeState(ledger, (probeState) =>
    probeState.hashKey === undefined ? { ...probeState, hashKey } : probeState,
  );
  return written.kind === "failed" ? undefined : written.value.hashKey;
}
