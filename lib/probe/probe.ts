// The requests of a plan, each turned into one Observation: the endpoints side by side, rare variants after the checks.
import { createHash } from "node:crypto";
import type { Config } from "../config/config.ts";
import { endpointIds, endpoints, sampleSource } from "../contract/endpoints.ts";
import type { HttpProxy, KeyResult } from "../ports.ts";
import type { Observation } from "../records/observation.ts";
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
import { createHasher } from "./validate/record-hashes.ts";
import {
  type CheckedRequest,
  createEmptyObservation,
  type Observed,
  observe,
} from "./validate/validate-body.ts";

/** How requests are sent where time is not real: over kept connections, with the virtual instant. */
export type Transport = {
  request: Pick<Parameters<typeof exchange>[0], "connections" | "retryPauseMs">;
  headers(atMs: number): readonly string[];
  /** The response as it would have been at that instant. */
  read(response: Exchange, atMs: number, deadlineMs: number): Exchange;
};

/** The samples as the latest list of this process showed them, by id. They may be people: they stay in memory. */
export type ListedSamples = Map<string, Record<string, unknown>>;

export type ProbeInput = {
  /** The instant that names this cycle: a replayed tick gives the same observation ids. */
  tickMs: number;
  config: Config;
  /** `lookup`: the list is requested first, once and without a retry, only to find a sample. */
  plan: { requests: readonly PlannedRequest[]; lookup?: boolean };
  key: KeyResult;
  nowMs(): number;
  proxy?: HttpProxy | undefined;
  /** For a simulator or a V1 on this machine; never in AWS. */
  allowLoopback: boolean;
  signal?: AbortSignal | undefined;
  /** Samples of the probe state. */
  samples?: readonly Sample[] | undefined;
  /** Kept from tick to tick, so that a single record is compared with the list that was requested before it. */
  listed?: ListedSamples | undefined;
  /** Without it, no hashes are in the observations. */
  hashKey?: string | undefined;
  /** The dates of the Sunset headers that the latest checks have found. */
  sunsets?: readonly string[] | undefined;
  transport?: Transport | undefined;
  /** Called as soon as each is known, for progress. */
  onObservation?: ((observation: Observation) => void) | undefined;
  /** Called with each response as well, for whoever looks at one request. */
  onResponse?: ((observation: Observation, response: Exchange) => void) | undefined;
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
  const cycle = startCycle(input);
  // Requests that only find a sample are counted with the first row.
  const lookups = input.plan.lookup && !input.signal?.aborted ? await findSamples(cycle) : 0;
  const made: Made[] = input.plan.requests
    .toSorted(byNeed)
    .map((planned) => ({ planned, observations: [], results: [] }));
  const observations = () => made.flatMap((row) => row.observations);
  const isWantedNow = ({ planned }: Made) => isWanted(planned, observations());
  if (!made.some(({ planned }) => isListCheck(planned))) cycle.endList();
  const checks = made.filter(({ planned }) => !planned.isRare);
  await makeAll(cycle, checks, isWantedNow);
  const rare = made.filter((row) => row.planned.isRare && isWantedNow(row));
  if (rare.length > 0 && !input.signal?.aborted) {
    await input.onChecked?.(observations());
    await makeAll(cycle, rare, isWantedNow);
  }
  const results = made.flatMap((row) => row.results);
  // Of a probe that was stopped before its first request the look for a sample is counted as well.
  if (results.length === 0 && lookups > 0 && made[0])
    results.push({ ...made[0].planned, atMs: input.nowMs(), requests: 0 });
  if (results[0]) results[0].requests += lookups;
  return { observations: observations(), results, samples: cycle.sampleChanges() };
}

/** What came of a planned request. */
type Made = { planned: PlannedRequest; observations: Observation[]; results: RequestResult[] };

const isListCheck = ({ endpoint, variant, isRare }: PlannedRequest) =>
  endpoint === sampleSource && variant === "authenticated" && !isRare;

/** What the requests of one cycle share: the samples, and the list from which they are chosen. */
function startCycle(input: ProbeInput) {
  const { config, tickMs, key, hashKey, samples: known = [] } = input;
  const turn = sampleTurn(tickMs, config);
  const { listed = new Map() as ListedSamples } = input;
  const gone: string[] = [];
  const list = Promise.withResolvers<void>();
  let pool = listSamples(config, known);
  let listBody: unknown;
  return {
    input,
    hasKey: key.kind !== "none",
    hasher: hashKey === undefined ? undefined : createHasher(hashKey),
    /** Resolved when the list of this cycle was read, or will not be. */
    list: list.promise,
    endList: () => list.resolve(),
    takeList(body: unknown) {
      listBody = body ?? listBody;
      // A manual probe requests the samples that it was given, and no others.
      if (input.samples || pool.length === 0) pool = chooseSamples(body, config, pool, tickMs);
      if (body === undefined) return;
      listed.clear();
      for (const { id } of pool) {
        const record = findListed(body, id);
        if (record) listed.set(id, record);
      }
    },
    hasSamples: () => pool.length > 0,
    pickSample: (except?: string) => pickSample(pool, turn, tickMs, except),
    /** A record that was deleted: another one is served. */
    noteGone: (id: string) => gone.push(id),
    sampleChanges: (): SampleChanges => ({ chosen: newSamples(config, pool, known), gone }),
    /** What is requested with one sample; without a sample there is nothing to compare and a 404 says nothing. */
    samplesOf: (sample: Sample | undefined): Samples => ({
      id: sample?.id,
      otherId: pickOtherId(config, sample, turn),
      keyword: findKeyword(listBody),
      listed: sample && listed.get(sample.id),
    }),
  };
}
type Cycle = ReturnType<typeof startCycle>;

/** Requests the list for its samples only. Returns how many requests that took. */
async function findSamples(cycle: Cycle): Promise<number> {
  const found = await send(
    cycle,
    { endpoint: sampleSource, variant: "authenticated", reason: "scheduled", attempts: 1 },
    undefined,
  );
  cycle.takeList(found?.value);
  return found?.observation.attempts.length ?? 0;
}

/** Undefined where there is nothing to request. */
async function send(
  cycle: Cycle,
  request: PlannedRequest,
  sample: Sample | undefined,
): Promise<Observed | undefined> {
  const { input, hasKey, hasher } = cycle;
  const { config, key, tickMs, transport } = input;
  const { endpoint } = request;
  const atMs = input.nowMs();
  // Without a key, the authenticated request of the plan is an anonymous one, and is called so.
  const variant = !hasKey && request.variant === "authenticated" ? "anonymous" : request.variant;
  const apiKey = key.kind === "key" ? key.key : undefined;
  const isList = endpoints[endpoint].role === "list";
  const checked: CheckedRequest = {
    endpoint,
    variant,
    reason: request.reason,
    tickMs: request.isRare ? tickMs + rareAfterMs : tickMs,
    atMs,
    hasher,
    apiKey,
    isPrimary: variant === (hasKey ? "authenticated" : "anonymous"),
    sampleId: isList || variant === "unknown-id" ? undefined : sample?.id,
  };
  if (request.notSent)
    return { observation: createEmptyObservation(checked, { kind: "refused", detail: request.notSent }) };
  if (key.kind === "no-secret" && variant !== "anonymous" && variant !== "bad-key")
    return { observation: createEmptyObservation(checked, { kind: "no-secret" }) };
  const build = () =>
    buildRequest({
      config,
      endpoint,
      variant: request.variant,
      samples: cycle.samplesOf(sample),
      key: apiKey,
    });
  const built = build();
  if (!built) return undefined;
  const response = await exchange({
    url: built.url,
    apiKey: built.apiKey,
    deadlineMs: config.timeouts.deadlineMs,
    maxBodyBytes: config.limits.maxBodyBytes,
    allowLoopback: input.allowLoopback,
    allowPrivateNetworks: config.allowPrivateNetworks,
    proxy: input.proxy,
    retry: request.attempts > 1,
    signal: input.signal,
    ...transport?.request,
    headers: transport?.headers(atMs),
  });
  const read = transport?.read(response, atMs, config.timeouts.deadlineMs) ?? response;
  // A single record is compared with the list, which is requested at the same time.
  if (!isList) await cycle.list;
  const observed = observe(checked, build() ?? built, read, config);
  input.onResponse?.(observed.observation, read);
  const { notices } = observed.observation;
  if (input.sunsets?.some((known) => isSameDate(known, notices.sunset))) notices.isSunsetRepeated = true;
  return observed;
}

/** Where the primary request fails, a rare variant would say the same at best. */
function isWanted(
  { endpoint, variant, isIfUnauthorized, isRare }: PlannedRequest,
  observations: readonly Observation[],
): boolean {
  if (!isIfUnauthorized && !isRare) return true;
  const primary = observations.findLast((one) => one.endpoint === endpoint && one.isPrimary);
  if (!primary) return false;
  if (isIfUnauthorized) return primary.outcome.kind === "unauthorized";
  const name = classify(primary);
  return name !== "none" && isTelling(variant, name);
}

/** The endpoints side by side; of one endpoint one request after another, because the later ones depend on the first. */
const makeAll = (cycle: Cycle, rows: readonly Made[], isWantedNow: (row: Made) => boolean) =>
  Promise.all(
    endpointIds.map(async (endpoint) => {
      for (const row of rows.filter(({ planned }) => planned.endpoint === endpoint)) {
        if (endpoint !== sampleSource && !cycle.hasSamples()) await cycle.list;
        const isAborted = cycle.input.signal?.aborted === true;
        const isOver = isAborted || (isWantedNow(row) && (await make(cycle, row)) === "stopped");
        if (isOver || isListCheck(row.planned)) cycle.endList();
        if (isOver) return;
      }
    }),
  ).finally(cycle.endList);

/** Without a key the primary request is anonymous already; a second one would be the same observation. */
const isTwin = ({ input, hasKey }: Cycle, { endpoint, variant }: PlannedRequest) =>
  !hasKey &&
  variant === "anonymous" &&
  input.plan.requests.some((other) => other.endpoint === endpoint && other.variant === "authenticated");

/** Where the probe was stopped, the rest of the cycle is abandoned, and what is known is kept. */
async function make(cycle: Cycle, { planned, observations, results }: Made): Promise<"made" | "stopped"> {
  const { input } = cycle;
  const { endpoint, variant, slotMs } = planned;
  const addResult = (atMs: number, requests: number, more: Partial<RequestResult> = {}) =>
    results.push({
      endpoint,
      variant,
      reason: planned.reason,
      atMs,
      requests,
      slotMs,
      notSent: planned.notSent,
      ...more,
    });
  const keep = (one: Observation, requests: number, more: Partial<RequestResult>) => {
    const { retryAfterSeconds, sunset } = one.notices;
    observations.push(one);
    addResult(Date.parse(one.at), requests, { ...more, sunset, retryAfterSeconds });
    input.onObservation?.(one);
  };
  const sample = cycle.pickSample();
  const observed = isTwin(cycle, planned) ? undefined : await send(cycle, planned, sample);
  if (!observed) {
    // It counts as done: otherwise it would always be the next one, and the others would never be sent.
    addResult(input.nowMs(), 0);
    return "made";
  }
  const { observation, value } = observed;
  const sent = observation.attempts.length;
  // Stopped during the request: nothing is recorded, but the request may have reached V1 and is counted.
  if (isStopped(observation)) {
    addResult(Date.parse(observation.at), sent);
    return "stopped";
  }
  if (endpoint === sampleSource && variant === "authenticated") cycle.takeList(value);
  const other = needsSecondOpinion(planned, observation, sample) ? cycle.pickSample(sample?.id) : undefined;
  const second = other && (await send(cycle, { ...planned, reason: "second-opinion", attempts: 1 }, other));
  if (!second || isStopped(second.observation)) {
    keep(observation, sent + (second ? 1 : 0), summarise(observation));
    return "made";
  }
  // A record that was deleted says nothing of V1 where another one is served.
  const isServed = second.observation.outcome.kind === "ok";
  if (isServed && sample) cycle.noteGone(sample.id);
  keep(observation, sent, isServed ? {} : summarise(observation));
  keep(second.observation, second.observation.attempts.length, {
    ...summarise(second.observation),
    reason: "second-opinion",
  });
  return "made";
}

const isStopped = ({ outcome }: Observation) => outcome.detail === "stopped";

/** Dates this close are one date that is written in another way. */
const sameDateMs = 3_600_000;
const isSameDate = (known: string, found: string | undefined) =>
  found !== undefined && Math.abs(Date.parse(known) - Date.parse(found)) <= sameDateMs;

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
