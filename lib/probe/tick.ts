// One tick of a prober: plans requests within the budget, sends them and updates the probe state.
import type { Config } from "../config/config.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Failed, KeyResult } from "../ports.ts";
import type { Observation, Variant } from "../records/observation.ts";
import type { ProbeState } from "../records/probe-state.ts";
import { emptyProbeState, recordHeartbeat } from "../records/probe-state.ts";
import type { Samples } from "./http/request.ts";
import type { ProbeInput } from "./probe.ts";
import { type Deferred, planRequests } from "./schedule/plan.ts";
import {
  applyResults,
  type ProbeStateLedger,
  type RequestResult,
  updateProbeState,
} from "./schedule/probe-state.ts";

export type TickInput = Pick<
  ProbeInput,
  "nowMs" | "allowLoopback" | "signal" | "samples" | "onObservation"
> & {
  tickMs: number;
  config: Config;
  ledger: ProbeStateLedger;
  readKey(): Promise<KeyResult>;
  /** The endpoint of this prober, when each endpoint has its own prober. */
  only?: EndpointId;
};

export type TickResult = {
  observations: Observation[];
  primary: Variant;
  deferred: Deferred[];
  /** Set when the probe state could not be written after requests were sent. */
  unsavedState?: Failed;
  samples: Samples;
  nextTickMs: number;
};

/** Records a request at its scheduled time, so that a late start does not delay the following ticks. */
function alignToTick(result: RequestResult, tickMs: number): RequestResult {
  return result.retryAfterSeconds === undefined ? { ...result, atMs: Math.min(result.atMs, tickMs) } : result;
}

export async function runTick(input: TickInput): Promise<TickResult> {
  const { tickMs, config } = input;
  const probeState = (await input.ledger.readProbeState())?.value ?? emptyProbeState;
  const plan = planRequests(tickMs, probeState, config, input.only);
  const { deferred, nextTickMs } = plan;
  const withHeartbeat = (state: ProbeState) =>
    recordHeartbeat(state, tickMs, input.only ? [input.only] : endpointIds);
  if (plan.requests.length === 0) {
    if (withHeartbeat(probeState) !== probeState) await updateProbeState(input.ledger, withHeartbeat);
    return {
      observations: [],
      primary: "anonymous",
      deferred,
      samples: input.samples ?? {},
      nextTickMs,
    };
  }
  // Most ticks send no request, so the code that reads responses is loaded only when it is needed.
  const [key, { probe }] = await Promise.all([input.readKey(), import("./probe.ts")]);
  const probed = await probe({ ...input, plan, key });
  const results = input.only ? probed.results.map((result) => alignToTick(result, tickMs)) : probed.results;
  // A tick that was stopped before its first request still writes a heartbeat.
  const saved = await updateProbeState(input.ledger, (state) =>
    results.length > 0 ? applyResults(state, results) : withHeartbeat(state),
  );
  return {
    observations: probed.observations,
    primary: key.kind === "none" ? "anonymous" : "authenticated",
    deferred,
    ...(saved.kind === "failed" && { unsavedState: saved }),
    samples: probed.samples,
    nextTickMs,
  };
}
