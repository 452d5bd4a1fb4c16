// The requests of a plan, one after another, each turned into one Observation.
import { createHash } from "node:crypto";
import type { Config } from "../config/config.ts";
import { endpointIds, endpoints, sampleSource } from "../contract/endpoints.ts";
import type { KeyResult } from "../ports.ts";
import type { CheckReason, Observation } from "../records/observation.ts";
import { classify } from "../records/outcome.ts";
import type { Sample } from "../records/probe-state.ts";
import { type Exchange, exchange } from "./http/exchange.ts";
import { buildRequest, type Samples } from "./http/request.ts";
import {
  chooseSamples,
  findKeyword,
  findListed,
  listSamples,
  newSamples,
  pickSample,
  pickWallet,
  type SampleChanges,
} from "./samples.ts";
import { sampleTurn } from "./schedule/budget.ts";
import type { PlannedRequest } from "./schedule/plan.ts";
import type { RequestResult } from "./schedule/probe-state.ts";
import { createHasher, type Hasher, rememberHashes } from "./validate/record-hashes.ts";
import { createEmptyObservation, type Observed, observe } from "./validate/validate-body.ts";

/** How requests are sent where time is not real: over kept connections, with the virtual instant. */
export type Transport = {
  request: Pick<Parameters<typeof exchange>[0], "connections" | "retryPauseMs">;
  headers(atMs: number): readonly string[];
  /** The response as it would have been at that instant. */
  read(response: Exchange, atMs: number, deadlineMs: number): Exchange;
};

export type ProbeInput = {
  /** The instant that names this cycle: a replayed tick gives the same observation ids. */
  tickMs: number;
  config: Config;
  /** `lookup`: the list is requested first, once and without a retry, only to find a sample. */
  plan: { requests: readonly PlannedRequest[]; lookup?: boolean };
  key: KeyResult;
  nowMs(): number;
  /** For a simulator or a V1 on this machine; never in AWS. */
  allowLoopback: boolean;
  signal?: AbortSignal | undefined;
  /** Samples of the probe state. */
  samples?: readonly Sample[] | undefined;
  /** Without it, no hashes are in the observations. */
  hashKey?: string | undefined;
  /** The dates of the Sunset headers that the latest checks have found. */
  sunsets?: readonly string[] | undefined;
  transport?: Transport | undefined;
  /** Called as soon as each is known, for progress. */
  onObservation?: ((observation: Observation) => void) | undefined;
};

export type ProbeResult = {
  observations: Observation[];
  /** What applyResults() needs. */
  results: RequestResult[];
  samples: SampleChanges;
};

/** The list goes first, authenticated before all else: it offers the samples that the others request. */
const byNeed = (a: PlannedRequest, b: PlannedRequest) =>
  Number(b.variant === "authenticated") - Number(a.variant === "authenticated") ||
  Number(b.endpoint === sampleSource) - Number(a.endpoint === sampleSource) ||
  endpointIds.indexOf(a.endpoint) - endpointIds.indexOf(b.endpoint);

export async function probe(input: ProbeInput): Promise<ProbeResult> {
  const { config, key, tickMs, plan, transport } = input;
  const observations: Observation[] = [];
  const results: RequestResult[] = [];
  const gone: string[] = [];
  const turn = sampleTurn(tickMs, config);
  const hasher = input.hashKey === undefined ? undefined : hasherOf(input.hashKey);
  let pool = listSamples(config, input.samples ?? []);
  let listBody: unknown;
  const hasKey = key.kind !== "none";

  /** What is requested with one sample; without a sample there is nothing to compare and a 404 says nothing. */
  const samplesOf = (sample: Sample | undefined): Samples => {
    const wallet = pickWallet(config, sample, turn);
    const keyword = config.samples.keyword === "auto" ? findKeyword(listBody) : config.samples.keyword;
    const listed = sample && findListed(listBody, sample.id);
    return {
      passportId: sample?.id,
      wallet,
      keyword,
      listed,
    };
  };

  const send = async (
    request: PlannedRequest,
    sample = pickSample(pool, turn, tickMs),
  ): Promise<Observed | undefined> => {
    const atMs = input.nowMs();
    // Without a key, the authenticated request of the plan is an anonymous one, and is called so.
    const variant = !hasKey && request.variant === "authenticated" ? "anonymous" : request.variant;
    const apiKey = key.kind === "key" ? key.key : undefined;
    const isSampled = endpoints[request.endpoint].role !== "list" && variant !== "unknown-id";
    const context = {
      endpoint: request.endpoint,
      variant,
      reason: request.reason,
      tickMs,
      atMs,
      hasher,
      apiKey,
      isPrimary: variant === (hasKey ? "authenticated" : "anonymous"),
      sampleId: isSampled ? sample?.id : undefined,
    };
    const needsKey = variant !== "anonymous" && variant !== "bad-key";
    if (key.kind === "no-secret" && needsKey)
      return { observation: createEmptyObservation(context, { kind: "no-secret" }) };
    const built = buildRequest({
      config,
      endpoint: request.endpoint,
      variant: request.variant,
      samples: samplesOf(sample),
      key: apiKey,
    });
    if (!built) return undefined;
    const response = await exchange({
      url: built.url,
      apiKey: built.apiKey,
      deadlineMs: config.timeouts.deadlineMs,
      maxWireBytes: config.limits.maxWireBytes,
      maxBodyBytes: config.limits.maxBodyBytes,
      allowLoopback: input.allowLoopback,
      retry: request.attempts > 1,
      signal: input.signal,
      ...transport?.request,
      headers: transport?.headers(atMs),
    });
    const read = transport?.read(response, atMs, config.timeouts.deadlineMs) ?? response;
    const observed = observe(context, built, read, config);
    const { notices } = observed.observation;
    if (input.sunsets?.some((known) => isSameDate(known, notices.sunset))) notices.isSunsetRepeated = true;
    return observed;
  };

  const takeSamples = (body: unknown) => {
    listBody = body ?? listBody;
    // A manual probe requests the samples that it was given, and no others.
    if (input.samples || pool.length === 0) pool = chooseSamples(body, config, pool, tickMs);
  };

  /** Requests that only found a sample; counted with the first row. */
  let lookups = 0;
  if (plan.lookup && !input.signal?.aborted) {
    const found = await send({ ...request(sampleSource), attempts: 1 });
    lookups = found?.observation.attempts.length ?? 0;
    takeSamples(found?.value);
  }
  // Without a key the primary request is anonymous already; a second one would be the same observation.
  const isTwin = ({ endpoint, variant }: PlannedRequest) =>
    !hasKey &&
    variant === "anonymous" &&
    plan.requests.some((other) => other.endpoint === endpoint && other.variant === "authenticated");
  const isUnauthorized = (endpoint: Observation["endpoint"]) =>
    observations.some(
      (one) => one.endpoint === endpoint && one.isPrimary && one.outcome.kind === "unauthorized",
    );

  for (const planned of plan.requests.toSorted(byNeed)) {
    const { endpoint, variant, slotMs } = planned;
    if (planned.isIfUnauthorized && !isUnauthorized(endpoint)) continue;
    const addResult = (atMs: number, sent: number, row: Partial<RequestResult>) =>
      results.push({
        endpoint,
        // A turn without the key is a primary check where there is none.
        variant: !hasKey && slotMs !== undefined ? "authenticated" : variant,
        reason: planned.reason,
        atMs,
        requests: sent + (results.length === 0 ? lookups : 0),
        slotMs,
        ...row,
      });
    // A stop abandons the rest of the cycle; what is known is kept, and what was sent is counted.
    if (input.signal?.aborted) {
      if (results.length === 0 && lookups > 0) addResult(input.nowMs(), 0, {});
      break;
    }
    const sample = pickSample(pool, turn, tickMs);
    const observed = isTwin(planned) ? undefined : await send(planned, sample);
    if (!observed) {
      // It counts as done: otherwise it would always be the next one, and the others would never be sent.
      addResult(input.nowMs(), 0, {});
      continue;
    }
    const { observation, value } = observed;
    const atMs = Date.parse(observation.at);
    const sent = observation.attempts.length;
    // Stopped during the request: nothing is recorded, but the request may have reached V1 and is counted.
    if (observation.outcome.detail === "stopped") {
      addResult(atMs, sent, {});
      break;
    }
    if (endpoint === sampleSource && variant === "authenticated") takeSamples(value);
    const keep = (one: Observation, row: Partial<RequestResult>, made: number) => {
      observations.push(one);
      const { retryAfterSeconds, sunset } = one.notices;
      addResult(Date.parse(one.at), made, {
        ...row,
        sunset,
        retryAfterSeconds,
      });
      input.onObservation?.(one);
    };

    const other = needsSecondOpinion(planned, observation, sample)
      ? pickSample(pool, turn, tickMs, sample?.id)
      : undefined;
    const second = other && (await send({ ...planned, reason: "second-opinion", attempts: 1 }, other));
    const isStopped = second?.observation.outcome.detail === "stopped";
    const isServed = second?.observation.outcome.kind === "ok";
    if (isServed && sample) gone.push(sample.id);
    // A passport that was deleted says nothing of V1 where another one is served.
    keep(observation, isServed ? {} : summarise(observation), sent + (isStopped ? 1 : 0));
    if (!second || isStopped) continue;
    const reason: CheckReason = "second-opinion";
    keep(
      second.observation,
      { ...summarise(second.observation), reason },
      second.observation.attempts.length,
    );
  }
  const chosen = newSamples(config, pool, input.samples ?? []);
  return { observations, results, samples: { chosen, gone } };
}

/** Dates this close are one date that is written in another way. */
const sameDateMs = 3_600_000;
const isSameDate = (known: string, found: string | undefined) =>
  found !== undefined && Math.abs(Date.parse(known) - Date.parse(found)) <= sameDateMs;

/** One for each installation: a process has one, and a test several. */
let latest: { hashKey: string; hasher: Hasher } | undefined;

function hasherOf(hashKey: string): Hasher {
  if (latest?.hashKey !== hashKey) latest = { hashKey, hasher: rememberHashes(createHasher(hashKey)) };
  return latest.hasher;
}

const request = (endpoint: Observation["endpoint"]): PlannedRequest => ({
  endpoint,
  variant: "authenticated",
  reason: "scheduled",
  attempts: 1,
});

/** The budget has room for one more where the first attempt was enough. */
const needsSecondOpinion = (
  { hasSecondOpinion, attempts }: PlannedRequest,
  { outcome, attempts: made, endpoint }: Observation,
  sample: Sample | undefined,
) =>
  hasSecondOpinion === true &&
  sample !== undefined &&
  endpoints[endpoint].role !== "list" &&
  outcome.status === 404 &&
  made.length < attempts;

// What one observation means to the scheduler: its class, and the set of its differences from the document.
type Summary = Pick<RequestResult, "class" | "findings" | "sample">;

const shortHash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 8);

function summarise(observation: Observation): Summary {
  const name = classify(observation);
  if (name === "none") return {};
  const breaking = observation.findings.filter(({ level }) => level === "breaking").map(({ id }) => id);
  const { sample } = observation;
  return name === "ok"
    ? { class: name, sample, findings: shortHash(breaking.sort().join(" ")) }
    : { class: name, sample };
}
