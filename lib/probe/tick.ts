// One tick of a prober: plan within the budget, ask, and keep the books of what was spent.
import type { Config } from "../config/config.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import type { Failed, KeyAnswer } from "../ports.ts";
import type { Case, Observation } from "../records/observation.ts";
import type { News, Pace } from "../records/probe-state.ts";
import { freshPace, giveSign } from "../records/probe-state.ts";
import type { Samples } from "./http/request.ts";
import type { ProbeInput } from "./probe.ts";
import { newsOf } from "./schedule/news.ts";
import { type Held, planRequests } from "./schedule/plan.ts";
import { changePace, type Done, type PaceLedger, settle } from "./schedule/probe-state.ts";

export type TickInput = Pick<
  ProbeInput,
  "nowMs" | "allowLoopback" | "signal" | "samples" | "onObservation"
> & {
  tickMs: number;
  config: Config;
  ledger: PaceLedger;
  readKey(): Promise<KeyAnswer>;
  /** Where each endpoint has a prober of its own. */
  only?: EndpointId;
};

export type TickResult = {
  observations: Observation[];
  leading: Case;
  /** What CloudWatch had taken before. */
  told: News;
  held: Held[];
  /** What V1 was asked could not be written into the books. */
  unbooked?: Failed;
  samples: Samples;
  nextTickMs: number;
};

/** A scheduler's clock is the plan's: a start that was late must not push the next one out. */
function bookOnTick(row: Done, tickMs: number): Done {
  return row.retryAfterSeconds === undefined ? { ...row, atMs: Math.min(row.atMs, tickMs) } : row;
}

export async function runTick(input: TickInput): Promise<TickResult> {
  const { tickMs, config } = input;
  const pace = (await input.ledger.readPace())?.value ?? freshPace;
  const plan = planRequests(tickMs, pace, config, input.only);
  const { held, nextTickMs } = plan;
  const told = newsOf(pace);
  const sign = (known: Pace) => giveSign(known, tickMs, input.only ? [input.only] : endpointIds);
  if (plan.requests.length === 0) {
    if (sign(pace) !== pace) await changePace(input.ledger, sign);
    return { observations: [], leading: "keyless", told, held, samples: input.samples ?? {}, nextTickMs };
  }
  // Most ticks of a function ask nothing, and need nothing of what reads an answer.
  const [key, { probe }] = await Promise.all([input.readKey(), import("./probe.ts")]);
  const result = await probe({ ...input, plan, key });
  const done = input.only ? result.done.map((row) => bookOnTick(row, tickMs)) : result.done;
  // Stopped before it could ask at all, it lives all the same.
  const booked = await changePace(input.ledger, (known) =>
    done.length > 0 ? settle(known, done) : sign(known),
  );
  return {
    observations: result.observations,
    leading: key.kind === "none" ? "keyless" : "keyed",
    told,
    held,
    ...(booked.kind === "failed" && { unbooked: booked }),
    samples: result.samples,
    nextTickMs,
  };
}
