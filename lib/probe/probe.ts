// The story of a probe: the requests of a plan, one after another, each turned into one Observation.
import type { Config } from "../config/config.ts";
import type { EndpointId } from "../contract/endpoints.ts";
import type { KeyAnswer } from "../ports.ts";
import type { Observation } from "../records/observation.ts";
import { exchange } from "./http/exchange.ts";
import { buildRequest, configuredSamples, type Samples, sampleList } from "./http/request.ts";
import type { Plan, PlannedRequest } from "./schedule/plan.ts";
import type { RequestResult } from "./schedule/probe-state.ts";
import { findSuspicion } from "./schedule/probe-state.ts";
import { createEmptyObservation, type Observed, observe } from "./validate/validate-body.ts";

export type ProbeInput = {
  /** The instant that names this cycle: a replayed tick gives the same observation ids. */
  tickMs: number;
  config: Config;
  plan: Pick<Plan, "requests" | "lookup">;
  key: KeyAnswer;
  nowMs(): number;
  /** For a simulator or a V1 on this machine; never in AWS. */
  allowLoopback: boolean;
  signal?: AbortSignal;
  /** What an earlier cycle of this process learned to ask for; it is never stored. */
  samples?: Samples;
  /** Told as soon as each is known, for progress. */
  onObservation?(observation: Observation): void;
};

export type ProbeResult = {
  observations: Observation[];
  /** What applyResults() needs to keep the budget's books. */
  done: RequestResult[];
  samples: Samples;
};

const order: Record<EndpointId, number> = { "passport-list": 0, passport: 1, "passport-credentials": 2 };

/** The list goes first, authenticated before all else: it offers the samples that the others ask for. */
const byNeed = (a: PlannedRequest, b: PlannedRequest) =>
  Number(b.variant === "authenticated") - Number(a.variant === "authenticated") ||
  order[a.endpoint] - order[b.endpoint];

export async function probe(input: ProbeInput): Promise<ProbeResult> {
  const { config, key, tickMs, plan } = input;
  const observations: Observation[] = [];
  const done: RequestResult[] = [];
  const configured = configuredSamples(config, tickMs);
  // An earlier cycle's list is no longer what the list shows.
  const { listed: _, ...before } = input.samples ?? {};
  let samples: Samples = { ...before, ...configured };
  const learn = (listBody: unknown) => {
    samples = { ...samples, ...sampleList(listBody, configured, tickMs, samples) };
  };

  const send = async (request: PlannedRequest): Promise<Observed | undefined> => {
    const atMs = input.nowMs();
    // Without a key, the authenticated request of the plan is a anonymous one, and is called so.
    const name = key.kind === "none" && request.variant === "authenticated" ? "anonymous" : request.variant;
    const ask = { endpoint: request.endpoint, variant: name, tickMs, atMs };
    const needsKey = name !== "anonymous" && name !== "bad-key";
    if (key.kind === "no-secret" && needsKey)
      return { observation: createEmptyObservation(ask, { kind: "no-secret" }) };
    const asked = buildRequest(
      config,
      request.endpoint,
      request.variant,
      samples,
      key.kind === "key" ? key.key : undefined,
    );
    if (!asked) return undefined;
    const answered = await exchange({
      url: asked.url,
      ...(asked.apiKey !== undefined && { apiKey: asked.apiKey }),
      deadlineMs: config.timeouts.deadlineMs,
      maxWireBytes: config.limits.maxWireBytes,
      maxBodyBytes: config.limits.maxBodyBytes,
      allowLoopback: input.allowLoopback,
      retry: request.attempts > 1,
      ...(input.signal && { signal: input.signal }),
    });
    return observe(ask, asked, answered, config);
  };

  /** Requests that only looked for a sample; booked with the first row. */
  let lookups = 0;
  if (plan.lookup && !input.signal?.aborted) {
    const looked = await send({ endpoint: "passport-list", variant: "authenticated", attempts: 1 });
    lookups = looked?.observation.attempts.length ?? 0;
    learn(looked?.value);
  }
  // Without a key the main request is anonymous already; a second one would be the same observation.
  const isTwin = ({ endpoint, variant: name }: PlannedRequest) =>
    key.kind === "none" &&
    name === "anonymous" &&
    plan.requests.some((other) => other.endpoint === endpoint && other.variant === "authenticated");
  for (const request of plan.requests.toSorted(byNeed)) {
    const { endpoint, variant: name } = request;
    const book = (
      atMs: number,
      sent: number,
      row: Omit<RequestResult, "endpoint" | "variant" | "atMs" | "requests">,
    ) =>
      done.push({
        endpoint,
        variant: name,
        atMs,
        requests: sent + (done.length === 0 ? lookups : 0),
        ...row,
      });
    // A stop abandons the rest of the cycle; what is known is kept, and what was sent is booked.
    if (input.signal?.aborted) {
      if (done.length === 0 && lookups > 0) book(input.nowMs(), 0, { learnedNothing: true });
      break;
    }
    const observed = isTwin(request) ? undefined : await send(request);
    if (!observed) {
      // It has had its turn: as one that was never asked, it would be the next for ever, and the others never.
      book(input.nowMs(), 0, { learnedNothing: true });
      continue;
    }
    const { observation, value } = observed;
    const atMs = Date.parse(observation.at);
    const sent = observation.attempts.length;
    // Stopped on the way: nothing was learned and nothing is recorded, but V1 may have been asked.
    if (observation.outcome.detail === "stopped") {
      book(atMs, sent, { learnedNothing: true });
      break;
    }
    if (endpoint === "passport-list" && name === "authenticated") learn(value);
    observations.push(observation);
    const why = findSuspicion(observation);
    const { retryAfterSeconds } = observation.notices;
    book(atMs, sent, {
      ...(why && { why }),
      ...(observation.outcome.detail === "no-sample" && { learnedNothing: true }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
    input.onObservation?.(observation);
  }
  return { observations, done, samples };
}
