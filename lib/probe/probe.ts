// Sends the requests of a plan one after another and turns each response into one Observation.
import type { Config } from "../config/config.ts";
import type { EndpointId } from "../contract/endpoints.ts";
import type { KeyResult } from "../ports.ts";
import type { Observation } from "../records/observation.ts";
import { exchange } from "./http/exchange.ts";
import { buildRequest, configuredSamples, type Samples, sampleList } from "./http/request.ts";
import type { Plan, PlannedRequest } from "./schedule/plan.ts";
import { findConfirmationReason, type RequestResult } from "./schedule/probe-state.ts";
import { createEmptyObservation, type Observed, observe } from "./validate/validate-body.ts";

export type ProbeInput = {
  /**
   * The scheduled time of this tick. It is part of the observation ids, so that a replayed tick gives the
   * same ids.
   */
  tickMs: number;
  config: Config;
  plan: Pick<Plan, "requests" | "lookup">;
  key: KeyResult;
  nowMs(): number;
  /** For a simulator or a V1 on this machine. Never set in AWS. */
  allowLoopback: boolean;
  signal?: AbortSignal;
  /** The samples that an earlier tick of this process found. They are never stored. */
  samples?: Samples;
  /** Called after each check, to show progress. */
  onObservation?(observation: Observation): void;
};

export type ProbeResult = {
  observations: Observation[];
  /** The input of applyResults(), which updates the probe state. */
  results: RequestResult[];
  samples: Samples;
};

const order: Record<EndpointId, number> = { "passport-list": 0, passport: 1, "passport-credentials": 2 };

/**
 * Authenticated requests first, and the list before the other endpoints, because its response contains their
 * samples.
 */
const compareOrder = (a: PlannedRequest, b: PlannedRequest) =>
  Number(b.variant === "authenticated") - Number(a.variant === "authenticated") ||
  order[a.endpoint] - order[b.endpoint];

export async function probe(input: ProbeInput): Promise<ProbeResult> {
  const { config, key, tickMs, plan } = input;
  const observations: Observation[] = [];
  const results: RequestResult[] = [];
  const configured = configuredSamples(config, tickMs);
  // The listed passport of an earlier tick may have changed since, so it is not compared again.
  const { listed: _, ...earlier } = input.samples ?? {};
  let samples: Samples = { ...earlier, ...configured };
  const takeSamples = (listBody: unknown) => {
    samples = { ...samples, ...sampleList(listBody, configured, tickMs, samples) };
  };

  const send = async (request: PlannedRequest): Promise<Observed | undefined> => {
    const atMs = input.nowMs();
    // Without a key, the plan's authenticated request is sent and recorded as an anonymous one.
    const variant =
      key.kind === "none" && request.variant === "authenticated" ? "anonymous" : request.variant;
    const primary = key.kind === "none" ? "anonymous" : "authenticated";
    const check = {
      ...{ endpoint: request.endpoint, variant, tickMs, atMs },
      ...{ reason: request.reason ?? "scheduled", isPrimary: variant === primary },
    } as const;
    const needsKey = variant !== "anonymous" && variant !== "bad-key";
    if (key.kind === "no-secret" && needsKey)
      return { observation: createEmptyObservation(check, { kind: "no-secret" }) };
    const built = buildRequest(
      config,
      request.endpoint,
      request.variant,
      samples,
      key.kind === "key" ? key.key : undefined,
    );
    if (!built) return undefined;
    const response = await exchange({
      url: built.url,
      ...(built.apiKey !== undefined && { apiKey: built.apiKey }),
      deadlineMs: config.timeouts.deadlineMs,
      maxWireBytes: config.limits.maxWireBytes,
      maxBodyBytes: config.limits.maxBodyBytes,
      allowLoopback: input.allowLoopback,
      retry: request.attempts > 1,
      ...(input.signal && { signal: input.signal }),
    });
    return observe(check, built, response, config);
  };

  /**
   * The number of list requests that were sent only to find a sample. They are counted with the first result.
   */
  let lookups = 0;
  if (plan.lookup && !input.signal?.aborted) {
    const lookup = await send({ endpoint: "passport-list", variant: "authenticated", attempts: 1 });
    lookups = lookup?.observation.attempts.length ?? 0;
    takeSamples(lookup?.value);
  }
  // Without a key the regular request is already anonymous, so a second one would have the same observation
  // id.
  const isDuplicate = ({ endpoint, variant }: PlannedRequest) =>
    key.kind === "none" &&
    variant === "anonymous" &&
    plan.requests.some((other) => other.endpoint === endpoint && other.variant === "authenticated");
  for (const request of plan.requests.toSorted(compareOrder)) {
    const { endpoint, variant } = request;
    const addResult = (
      atMs: number,
      sent: number,
      details: Omit<RequestResult, "endpoint" | "variant" | "atMs" | "requests">,
    ) =>
      results.push({
        endpoint,
        variant,
        atMs,
        requests: sent + (results.length === 0 ? lookups : 0),
        ...details,
      });
    // A stop cancels the rest of the plan. Finished observations are kept, and requests already sent are
    // counted.
    if (input.signal?.aborted) {
      if (results.length === 0 && lookups > 0) addResult(input.nowMs(), 0, { isInconclusive: true });
      break;
    }
    const observed = isDuplicate(request) ? undefined : await send(request);
    if (!observed) {
      // It counts as attempted. Otherwise it would stay first in the rotation and block the other rare
      // requests.
      addResult(input.nowMs(), 0, { isInconclusive: true });
      continue;
    }
    const { observation, value } = observed;
    const atMs = Date.parse(observation.at);
    const sent = observation.attempts.length;
    // A request that was stopped is not stored as an observation, but it may have reached V1 and is counted.
    if (observation.outcome.detail === "stopped") {
      addResult(atMs, sent, { isInconclusive: true });
      break;
    }
    if (endpoint === "passport-list" && variant === "authenticated") takeSamples(value);
    observations.push(observation);
    const why = findConfirmationReason(observation);
    const { retryAfterSeconds } = observation.notices;
    addResult(atMs, sent, {
      ...(why && { why }),
      ...(observation.outcome.detail === "no-sample" && { isInconclusive: true }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });
    input.onObservation?.(observation);
  }
  return { observations, results, samples };
}
