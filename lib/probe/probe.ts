// The requests of a plan, each turned into one Observation: the endpoints side by side, rare variants after the checks.
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
  pickOtherId,
  pickSample,
  type SampleChanges,
} from "./samples.ts";
import { sampleTurn } from "./schedule/budget.ts";
import type { PlannedRequest } from "./schedule/plan.ts";
import { isTelling, type RequestResult } from "./schedule/probe-state.ts";
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
  /** Called when all checks are made and rare variants are still to be requested, which wait for it. */
  onChecked?: ((checks: Observation[]) => Promise<void>) | undefined;
};

/** Rare variants are a tick of their own, so that the checks before them can be assessed without them. */
const rareAfterMs = 1;

export type ProbeResult = {
  observations: Observation[];
  /** What applyResults() needs. */
  results: RequestResult[];
  samples: SampleChanges;
};

/** The order in which results are kept: rare variants last, authenticated before the others, the list first. */
const byNeed = (a: PlannedRequest, b: PlannedRequest) =>
  Number(a.isRare === true) - Number(b.isRare === true) ||
  Number(b.variant === "authenticated") - Number(a.variant === "authenticated") ||
  Number(b.endpoint === sampleSource) - Number(a.endpoint === sampleSource) ||
  endpointIds.indexOf(a.endpoint) - endpointIds.indexOf(b.endpoint);

export async function probe(input: ProbeInput): Promise<ProbeResult> {
  const { config, key, tickMs, plan, transport } = input;
  const gone: string[] = [];
  const turn = sampleTurn(tickMs, config);
  const hasher = input.hashKey === undefined ? undefined : hasherOf(input.hashKey);
  let pool = listSamples(config, input.samples ?? []);
  let listBody: unknown;
  /** Resolved when the list of this cycle was read, or will not be. */
  const list = Promise.withResolvers<void>();
  const hasKey = key.kind !== "none";

  /** What is requested with one sample; without a sample there is nothing to compare and a 404 says nothing. */
  const samplesOf = (sample: Sample | undefined): Samples => {
    const otherId = pickOtherId(config, sample, turn);
    const keyword = config.samples.keyword === "auto" ? findKeyword(listBody) : config.samples.keyword;
    const listed = sample && findListed(listBody, sample.id);
    return {
      id: sample?.id,
      otherId,
      keyword,
      listed,
    };
  };

  const send = async (request: PlannedRequest, sample: Sample | undefined): Promise<Observed | undefined> => {
    const atMs = input.nowMs();
    // Without a key, the authenticated request of the plan is an anonymous one, and is called so.
    const variant = !hasKey && request.variant === "authenticated" ? "anonymous" : request.variant;
    const apiKey = key.kind === "key" ? key.key : undefined;
    const isSampled = endpoints[request.endpoint].role !== "list" && variant !== "unknown-id";
    const context = {
      endpoint: request.endpoint,
      variant,
      reason: request.reason,
      tickMs: request.isRare ? tickMs + rareAfterMs : tickMs,
      atMs,
      hasher,
      apiKey,
      isPrimary: variant === (hasKey ? "authenticated" : "anonymous"),
      sampleId: isSampled ? sample?.id : undefined,
    };
    const needsKey = variant !== "anonymous" && variant !== "bad-key";
    if (key.kind === "no-secret" && needsKey)
      return { observation: createEmptyObservation(context, { kind: "no-secret" }) };
    const build = () =>
      buildRequest({
        config,
        endpoint: request.endpoint,
        variant: request.variant,
        samples: samplesOf(sample),
        key: apiKey,
      });
    const built = build();
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
    // A single record is compared with the list, which is requested at the same time.
    if (endpoints[request.endpoint].role !== "list") await list.promise;
    const observed = observe(context, build() ?? built, read, config);
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
    const found = await send({ ...request(sampleSource), attempts: 1 }, undefined);
    lookups = found?.observation.attempts.length ?? 0;
    takeSamples(found?.value);
  }
  // Without a key the primary request is anonymous already; a second one would be the same observation.
  const isTwin = ({ endpoint, variant }: PlannedRequest) =>
    !hasKey &&
    variant === "anonymous" &&
    plan.requests.some((other) => other.endpoint === endpoint && other.variant === "authenticated");

  const sorted = plan.requests.toSorted(byNeed);
  /** What came of each planned request, in the order of need. */
  const made = sorted.map((planned) => ({
    planned,
    observations: [] as Observation[],
    results: [] as RequestResult[],
  }));
  type Made = (typeof made)[number];
  const primaryOf = (endpoint: Observation["endpoint"]) =>
    made
      .flatMap(({ observations }) => observations)
      .findLast((one) => one.endpoint === endpoint && one.isPrimary);

  /** Where the primary request fails, a rare variant would say the same at best. */
  const isWanted = ({ endpoint, variant, isIfUnauthorized, isRare }: PlannedRequest) => {
    if (!isIfUnauthorized && !isRare) return true;
    const primary = primaryOf(endpoint);
    if (!primary) return false;
    if (isIfUnauthorized) return primary.outcome.kind === "unauthorized";
    const name = classify(primary);
    return name !== "none" && isTelling(variant, name);
  };

  /** Resolves to false where the probe was stopped: the rest of the cycle is abandoned, and what is known is kept. */
  const make = async ({ planned, observations, results }: Made): Promise<boolean> => {
    const { endpoint, variant, slotMs } = planned;
    const addResult = (atMs: number, requests: number, row: Partial<RequestResult>) =>
      results.push({
        endpoint,
        // A turn without the key is a primary check where there is none.
        variant: !hasKey && slotMs !== undefined ? "authenticated" : variant,
        reason: planned.reason,
        atMs,
        requests,
        slotMs,
        ...row,
      });
    if (endpoint !== sampleSource && pool.length === 0) await list.promise;
    if (input.signal?.aborted) return false;
    if (!isWanted(planned)) return true;
    const sample = pickSample(pool, turn, tickMs);
    const observed = isTwin(planned) ? undefined : await send(planned, sample);
    if (!observed) {
      // It counts as done: otherwise it would always be the next one, and the others would never be sent.
      addResult(input.nowMs(), 0, {});
      return true;
    }
    const { observation, value } = observed;
    const sent = observation.attempts.length;
    // Stopped during the request: nothing is recorded, but the request may have reached V1 and is counted.
    if (observation.outcome.detail === "stopped") {
      addResult(Date.parse(observation.at), sent, {});
      return false;
    }
    if (endpoint === sampleSource && variant === "authenticated") takeSamples(value);
    const keep = (one: Observation, row: Partial<RequestResult>, requests: number) => {
      observations.push(one);
      const { retryAfterSeconds, sunset } = one.notices;
      addResult(Date.parse(one.at), requests, {
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
    // A record that was deleted says nothing of V1 where another one is served.
    keep(observation, isServed ? {} : summarise(observation), sent + (isStopped ? 1 : 0));
    if (!second || isStopped) return true;
    const reason: CheckReason = "second-opinion";
    keep(
      second.observation,
      { ...summarise(second.observation), reason },
      second.observation.attempts.length,
    );
    return true;
  };

  /** The endpoints side by side; of one endpoint one request after another, because the later ones depend on the first. */
  const makeAll = (rows: readonly Made[]) =>
    Promise.all(
      endpointIds.map(async (endpoint) => {
        for (const row of rows.filter(({ planned }) => planned.endpoint === endpoint)) {
          const goesOn = await make(row);
          if (row.planned.variant === "authenticated" && endpoint === sampleSource) list.resolve();
          if (!goesOn) return;
        }
      }),
    ).finally(list.resolve);

  const isListPlanned = sorted.some(
    ({ endpoint, variant, isRare }) =>
      endpoint === sampleSource && variant === "authenticated" && isRare === undefined,
  );
  if (!isListPlanned) list.resolve();
  await makeAll(made.filter(({ planned }) => !planned.isRare));
  const rare = made.filter(({ planned }) => planned.isRare && isWanted(planned));
  if (rare.length > 0 && !input.signal?.aborted) {
    await input.onChecked?.(made.flatMap(({ observations }) => observations));
    await makeAll(rare);
  }
  const results = made.flatMap((row) => row.results);
  // Of a probe that was stopped before its first request the look for a sample is counted as well.
  if (results.length === 0 && lookups > 0 && sorted[0])
    results.push({ ...sorted[0], atMs: input.nowMs(), requests: 0 });
  if (results[0]) results[0].requests += lookups;
  return {
    observations: made.flatMap(({ observations }) => observations),
    results,
    samples: { chosen: newSamples(config, pool, input.samples ?? []), gone },
  };
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
