// v1watch parity: compares V2 with V1 through the mapping. V1 is read twice to measure its own variance.

import { setTimeout as pause } from "node:timers/promises";
import { printable } from "../../config/config.ts";
import { api } from "../../contract/endpoints.ts";
import { countPositions, describeVersions, fingerprintCohort, type Ids } from "../../parity/cohort.ts";
import { judgeParity, maxReadAgain } from "../../parity/judge.ts";
import {
  listDoubtful,
  type Progress as ParityProgress,
  type ParityRun,
  readAgain,
  readAgainAfterMs,
  runParity,
  sampleIds,
} from "../../parity/parity.ts";
import { type ParityPlan, planParity } from "../../parity/plan.ts";
import { createParityClient, type FetchBody, type Target } from "../../parity/request.ts";
import { limitedBudget, type RequestBudget } from "../../parity/request-budget.ts";
import { type ComparedVersions, emptyParity, type ParityState } from "../../records/parity.ts";
import { plural } from "../../text.ts";
import { clockText } from "../../time.ts";
import { defineCommand, exitCodes, type Io, UsageError } from "../command.ts";
import { readKey, readKeyFrom } from "../key.ts";
import { print } from "../layout.ts";
import { checkWritable, textIo, writePrivateFile } from "../output-file.ts";
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
  for (const file of [progressFile, values["write-ids"]]) if (file !== undefined) await checkWritable(file);
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
    const sampledFrom = "ids" in cohort ? cohort.sampledFrom : undefined;
    const found = await compareAll(run, { ...progress, ids, sampledFrom, lookups, fetchBody, requestBudget });
    const { aggregate, ending, startedAt, at, differing } = found;
    if (values["write-ids"] !== undefined) await writeIds(values["write-ids"], { ids, differing }, io);
    return printParity(io, values.json, {
      verdict: judgeParity(aggregate),
      aggregate,
      mapping,
      ending,
      lookups,
      startedAt,
      at,
      compared,
      cohort: fingerprintCohort(ids, sampledFrom),
      sampledFrom,
      monthEndMs: watchBudget?.remaining.monthEndMs,
    });
  } finally {
    close();
  }
}

type Work = Progress & {
  ids: Ids;
  /** The passports of the file, where the ids are a sample of it. */
  sampledFrom: number | undefined;
  /** The requests that looked up the ids. */
  lookups: number;
  fetchBody: FetchBody;
  requestBudget: RequestBudget;
};

/** Compares what is left of the cohort, and stores the progress after each batch. `at`: when the last batch finished. */
async function compareAll(
  { values, io, inputs, plan, compared, isLimited }: Run,
  { ids, sampledFrom, lookups, before, progressFile, fetchBody, requestBudget }: Work,
) {
  const { mapping, shape } = inputs;
  const cohort = fingerprintCohort(ids, sampledFrom);
  const startedAt = before?.startedAt ?? new Date().toISOString();
  const {
    done,
    aggregate,
    differing = {},
  } = before ?? {
    done: [],
    aggregate: { ...emptyParity(), requests: { v1: lookups, v2: 0 } },
  };
  const progress = drawProgress(io, ids.length);
  progress.step(countPositions(done));
  let at = before?.at;
  const save = async ({ done: finished, aggregate: partial, differing: positions }: ParityProgress) => {
    const state: ParityState = {
      schema: "v1watch/parity-state/2",
      startedAt,
      at: at ?? startedAt,
      compared,
      cohort,
      done: finished,
      differing: positions,
      aggregate: partial,
    };
    if (progressFile !== undefined) await writeParityState(progressFile, state);
  };
  const run: ParityRun = {
    ids,
    mapping,
    plan,
    fetchBody,
    secondReadDelayMs: values.apart,
    signal: io.signal,
    concurrentRecords: concurrentRequests,
    requestBudget,
    shape,
    resumeFrom: { done, aggregate, differing },
    // A killed run does not release its reservations, so batches are small if a budget applies.
    batchSize: isLimited ? 10 : 100,
    concurrentBatches: 2,
    async onProgress(reached) {
      at = new Date().toISOString();
      await save(reached);
      progress.step(countPositions(reached.done));
    },
  };
  let result = await runParity(run);
  progress.end();
  const doubtful = result.ending.kind === "finished" ? listDoubtful(result).length : 0;
  const dueMs = Date.parse(at ?? startedAt) + readAgainAfterMs;
  if (doubtful > 0 && (!values.once || Date.now() >= dueMs)) {
    await waitUntil(dueMs, { doubtful, isResumable: progressFile !== undefined, isJson: values.json, io });
    result = io.signal.aborted ? { ...result, ending: { kind: "stopped" } } : await readAgain(run, result);
    await save(result);
  }
  return { ...result, startedAt, at: at ?? startedAt };
}

type Waiting = { doubtful: number; isResumable: boolean; isJson: boolean; io: Io };

/** What differs only for a while, such as a cache, is equal an hour later. */
async function waitUntil(dueMs: number, { doubtful, isResumable, isJson, io }: Waiting): Promise<void> {
  const waitMs = dueMs - Date.now();
  if (waitMs <= 0) return;
  const { one, many } = api.sample.nouns;
  const goOn = isResumable ? "the same command reads them again later" : "--once does not wait";
  print(
    isJson ? textIo(io, "-") : io,
    `${plural(doubtful, one, many)} ${doubtful === 1 ? "differs" : "differ"} too rarely to rule out chance, and will be read again at ${clockText(dueMs)} UTC (Ctrl-C stops; ${goOn}).\n`,
  );
  await pause(waitMs, undefined, { signal: io.signal }).catch(() => {});
}

/** The ids leave the process for this file only, and only because somebody asked for it. */
async function writeIds(
  file: string,
  { ids, differing }: { ids: Ids; differing: ParityProgress["differing"] },
  io: Io,
): Promise<void> {
  const positions = Object.entries(differing).flatMap(([path, ofPath]) =>
    ofPath.map((position) => ({ position, path })),
  );
  const lines = [...Map.groupBy(positions, ({ position }) => position)]
    .sort(([a], [b]) => a - b)
    .map(
      ([position, found]) =>
        `${ids.slice(position, position + 1)[0]}\t${found.map(({ path }) => path).join(" ")}`,
    );
  const head = [
    `# PERSONAL DATA: ids of ${api.sample.nouns.many} on which V2 differs from V1, and the fields. Delete this file when you are done.`,
    `# Of each field, at most ${maxReadAgain}.`,
  ];
  await writePrivateFile(file, `${[...head, ...lines].join("\n")}\n`);
  print(
    textIo(io, "-"),
    `Wrote ${plural(lines.length, "id")} to ${printable(file)}: personal data, readable by you only.\n`,
  );
}
