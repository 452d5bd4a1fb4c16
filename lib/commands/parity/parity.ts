// v1watch parity: compares V2 with V1 through the mapping. V1 is read twice to measure its own variance.

import { api } from "../../contract/endpoints.ts";
import { countPositions, describeVersions, fingerprintCohort } from "../../parity/cohort.ts";
import { judgeParity } from "../../parity/judge.ts";
import { runParity, sampleIds } from "../../parity/parity.ts";
import { type ParityPlan, planParity } from "../../parity/plan.ts";
import { createParityClient, type FetchBody, type Target } from "../../parity/request.ts";
import { limitedBudget, type RequestBudget } from "../../parity/request-budget.ts";
import { type ComparedVersions, emptyParity, type ParityState } from "../../records/parity.ts";
import { defineCommand, exitCodes, type Io, UsageError } from "../command.ts";
import { readKey, readKeyFrom } from "../key.ts";
import { print } from "../layout.ts";
import { checkWritable, textIo } from "../output-file.ts";
import { openProxy } from "../proxy.ts";
import { openWatchBudget, type WatchBudget } from "../watch-budget.ts";
import { announceBudget, checkBudget, describeEstimate, type ParityBudget } from "./budget.ts";
import {
  type Cohort,
  chooseCohort,
  concurrentRequests,
  createTarget,
  type ParityValues,
  parityOptions,
  readInputs,
  requestNeed,
  requireKey,
  unlimited,
  usualRequests,
} from "./options.ts";
import { readParityState, writeParityState } from "./progress-file.ts";
import { drawProgress, printParity } from "./text.ts";

export const parity = defineCommand({
  description: `Reads V1 twice and V2 once for each ${api.sample.nouns.one}, and reports the fields that differ more than V1 varies by itself. It compares values in memory, and prints and stores only paths, kinds and counts. Requests to V1 use the key and the budget of the watch, running or not, and never more than the watch can spare this month. V2 has its own key: requests to V2 are counted, not limited. A V1 on this machine has no limit unless --store is given.`,
  options: parityOptions,
  notes: [
    "Exit codes: 0 parity, 1 differences, 2 insufficient evidence, or usage or configuration error.",
    "Example:\n  v1watch parity --cohort ids.txt --detect 0.1 --resume parity.state.json",
  ],
  run: (values, _positionals, io) => prepare(values, io),
});

/** Reads what is compared and counts what it takes. Then it compares, unless only the estimate is wanted. */
async function prepare(values: ParityValues, io: Io): Promise<number> {
  const inputs = await readInputs(values, io);
  const { config, origins, mapping } = inputs;
  const plan = planParity(mapping);
  if (plan.v2Endpoints.length === 0) throw new UsageError("the mapping has no decided field to compare");

  const v1 = createTarget("V1", config.baseUrl, values);
  const v2 = createTarget("V2", values["v2-base-url"] ?? mapping.v2.baseUrl, values);
  const compared = describeVersions(v1.baseUrl, v2.baseUrl, mapping);
  const cohort = await chooseCohort(values);
  const progressFile = values.resume;
  if (progressFile !== undefined) await checkWritable(progressFile);
  const before =
    progressFile !== undefined && "ids" in cohort
      ? await readParityState(progressFile, { compared, cohort: fingerprintCohort(cohort.ids) })
      : undefined;

  const watchBudget = await openWatchBudget(values, { config, origins, env: io.env });
  try {
    const isLimited = watchBudget !== undefined || v1.burst !== undefined;
    const budget: ParityBudget = {
      need: requestNeed(cohort, countPositions(before?.done ?? []), progressFile !== undefined),
      perPair: plan.requestsPerPair,
      maxRequests: values.requests ?? (watchBudget || !isLimited ? unlimited : usualRequests),
      remaining: watchBudget?.remaining,
    };
    if (!values.estimate) checkBudget(budget);
    if (!values.json) print(io, `V1 at ${config.baseUrl} · V2 at ${v2.baseUrl}\n`);
    if (values.estimate) {
      print(io, describeEstimate(budget, { v1, v2, cohort, storePath: config.store }));
      return exitCodes.success;
    }
    if (isLimited && budget.need.passports > 0)
      print(values.json ? textIo(io, "-") : io, announceBudget(budget, config.store));
    const run: Run = { values, io, inputs, plan, v1, v2, compared, watchBudget, budget, isLimited };
    return await compare(run, { cohort, before, progressFile });
  } finally {
    watchBudget?.close();
  }
}

type Run = {
  values: ParityValues;
  io: Io;
  inputs: Awaited<ReturnType<typeof readInputs>>;
  plan: ParityPlan;
  v1: Target;
  v2: Target;
  compared: ComparedVersions;
  watchBudget: WatchBudget | undefined;
  budget: ParityBudget;
  isLimited: boolean;
};
/** The progress of an earlier run, and the file in which progress is stored. */
type Progress = { before: ParityState | undefined; progressFile: string | undefined };

/** Sends the requests and prints the result. */
async function compare(run: Run, { cohort, ...progress }: Progress & { cohort: Cohort }): Promise<number> {
  const { values, io, inputs, v1, v2, compared, watchBudget, budget } = run;
  const { config, origins, mapping } = inputs;
  const v1Key = await readKey(config, origins, io.env);
  const v2Key = await readKeyFrom(mapping.v2.key, io.env, config.aws.region);
  const { fetchBody, close } = createParityClient({
    v1: {
      ...v1,
      apiKey: requireKey("V1", v1Key),
      acquireSlot: watchBudget && v1.burst ? watchBudget.sharedBudget.acquireSlot : undefined,
    },
    v2: { ...v2, apiKey: requireKey("V2", v2Key) },
    concurrency: concurrentRequests,
    signal: io.signal,
    allowLoopback: values["allow-loopback"],
    allowPrivateNetworks: config.allowPrivateNetworks,
    proxy: await openProxy(config, io),
    ...config.limits,
    deadlineMs: config.timeouts.deadlineMs,
  });
  try {
    const requestBudget = limitedBudget(budget.maxRequests, watchBudget?.sharedBudget);
    const { ids, requests: lookups } =
      "listed" in cohort
        ? await sampleIds(fetchBody, cohort.listed, requestBudget)
        : { ids: cohort.ids, requests: 0 };
    const { aggregate, ending, startedAt, at } = await compareAll(run, {
      ...progress,
      ids,
      lookups,
      fetchBody,
      requestBudget,
    });
    return printParity(io, values.json, {
      verdict: judgeParity(aggregate),
      aggregate,
      mapping,
      ending,
      lookups,
      startedAt,
      at,
      compared,
      cohort: fingerprintCohort(ids),
      sampledFrom: "ids" in cohort ? cohort.sampledFrom : undefined,
      monthEndMs: watchBudget?.remaining.monthEndMs,
    });
  } finally {
    close();
  }
}

type Work = Progress & {
  ids: readonly string[];
  /** The requests that looked up the ids. */
  lookups: number;
  fetchBody: FetchBody;
  requestBudget: RequestBudget;
};

/** Compares what is left of the cohort, and stores the progress after each batch. `at`: when the last batch finished. */
async function compareAll(
  { values, io, inputs, plan, compared, isLimited }: Run,
  { ids, lookups, before, progressFile, fetchBody, requestBudget }: Work,
) {
  const { mapping, shape } = inputs;
  const cohort = fingerprintCohort(ids);
  const startedAt = before?.startedAt ?? new Date().toISOString();
  const { done, aggregate } = before ?? {
    done: [],
    aggregate: { ...emptyParity(), requests: { v1: lookups, v2: 0 } },
  };
  const progress = drawProgress(io, ids.length);
  progress.step(countPositions(done));
  let at = before?.at;
  const result = await runParity({
    ids,
    mapping,
    plan,
    fetchBody,
    secondReadDelayMs: values.apart,
    signal: io.signal,
    concurrentRecords: concurrentRequests,
    requestBudget,
    shape,
    resumeFrom: { done, aggregate },
    // A killed run does not release its reservations, so batches are small if a budget applies.
    batchSize: isLimited ? 10 : 100,
    concurrentBatches: 2,
    async onProgress({ done: finished, aggregate: partial }) {
      at = new Date().toISOString();
      const state: ParityState = {
        schema: "v1watch/parity-state/2",
        startedAt,
        at,
        compared,
        cohort,
        done: finished,
        aggregate: partial,
      };
      if (progressFile !== undefined) await writeParityState(progressFile, state);
      progress.step(countPositions(finished));
    },
  });
  progress.end();
  return { ...result, startedAt, at: at ?? startedAt };
}
