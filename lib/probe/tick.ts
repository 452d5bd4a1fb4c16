// One tick of a prober: plan within the budget, ask, and keep the books of what was spent.
import type { Config } from "../config/config.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Failed, KeyAnswer } from "../ports.ts";
import type { Observation, Variant } from "../records/observation.ts";
import type { ProbeState } from "../records/probe-state.ts";
import { emptyProbeState, giveSign } from "../records/probe-state.ts";
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
  readKey(): Promise<KeyAnswer>;
  /** Where each endpoint has a prober of its own. */
  only?: EndpointId;
};

export type TickResult = {
  observations: Observation[];
  primary: Variant;
  deferred: Deferred[];
  /** What V1 was asked could not be written into the books. */
  unbooked?: Failed;
  samples: Samples;
  nextTickMs: number;
};

/** A scheduler's clock is the plan's: a start that was late must not push the next one out. */
function bookOnTick(row: RequestResult, tickMs: number): RequestResult {
  return row.retryAfterSeconds === undefined ? { ...row, atMs: Math.min(row.atMs, tickMs) } : row;
}

export async function runTick(input: TickInput): Promise<TickResult> {
  const { tickMs, config } = input;
  const probeState = (await input.ledger.readProbeState())?.value ?? emptyProbeState;
  const plan = planRequests(tickMs, probeState, config, input.only);
  const { deferred, nextTickMs } = plan;
  const sign = (known: ProbeState) => giveSign(known, tickMs, input.only ? [input.only] : endpointIds);
  if (plan.requests.length === 0) {
    if (sign(probeState) !== probeState) await updateProbeState(input.ledger, sign);
    return {
      observations: [],
      primary: "anonymous",
      deferred,
      samples: input.samples ?? {},
      nextTickMs,
    };
  }
  // Most ticks of a function ask nothing, and need nothing of what reads an answer.
  const [key, { probe }] = await Promise.all([input.readKey(), import("./probe.ts")]);
  const result = await probe({ ...input, plan, key });
  const done = input.only ? result.done.map((row) => bookOnTick(row, tickMs)) : result.done;
  // Stopped before it could ask at all, it lives all the same.
  const booked = await updateProbeState(input.ledger, (known) =>
    done.length > 0 ? applyResults(known, done) : sign(known),
  );
  return {
    observations: result.observations,
    primary: key.kind === "none" ? "anonymous" : "authenticated",
    deferred,
    ...(booked.kind === "failed" && { unbooked: booked }),
    samples: result.samples,
    nextTickMs,
  };
}
