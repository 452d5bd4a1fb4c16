// v1watch parity: compares V2 with V1 through the mapping. V1 is read twice to measure its own variance.

import { countPositions, fingerprintCohort, fingerprintMapping } from "../../parity/cohort.ts";
import { judgeParity } from "../../parity/judge.ts";
import { runParity, sampleIds } from "../../parity/parity.ts";
import { planParity } from "../../parity/plan.ts";
import { createParityClient } from "../../parity/request.ts";
import { limitedBudget } from "../../parity/request-budget.ts";
import { emptyParity } from "../../records/parity.ts";
import { exitCodes, integerOption, type Run, UsageError } from "../command.ts";
import { parityRequests } from "../defaults.ts";
import { readKey, readKeyFrom } from "../key.ts";
import { print } from "../layout.ts";
import { checkWritable, textIo } from "../output-file.ts";
import { openWatchBudget } from "../watch-budget.ts";
import { announceBudget, checkBudget, type ParityBudget } from "./budget.ts";
import { awsOptions, runInAws } from "./in-aws.ts";
import { readInputs } from "./inputs.ts";
import {
  apartOption,
  chooseCohort,
  createTarget,
  isLocalUrl,
  requestNeed,
  ruleOption,
  textOption,
} from "./options.ts";
import { readParityState, writeParityState } from "./progress-file.ts";
import { drawProgress, printParity } from "./text.ts";

const unlimited = 1e9;

export const parity: Run = async (values, _positionals, io) => {
  if (values.resume === true || awsOptions.some((name) => values[name])) return runInAws(values, io);
  const rule = ruleOption(values);
  const secondReadDelayMs = apartOption(values);
  const inputs = await readInputs(values, io);
  if (!inputs) return exitCodes.usage;
  const { config, origins, mapping, shape } = inputs;
  const plan = planParity(mapping);
  if (plan.v2Endpoints.length === 0) throw new UsageError("the mapping has no decided field to compare");
  const concurrency = integerOption(values, "concurrency", { fallback: 4, min: 1, max: 64 });

  const v2Url = textOption(values, "v2-base-url") ?? mapping.v2.baseUrl;
  const v1 = createTarget("V1", config.baseUrl, await readKey(config, origins, io.env), values);
  const v2Key = await readKeyFrom(mapping.v2.key, io.env, config.aws.region);
  const v2 = createTarget("V2", v2Url, v2Key, values);
  const cohort = await chooseCohort(values, config.samples.ids);
  const resume = textOption(values, "resume");
  if (resume !== undefined) await checkWritable(resume);
  const keyOf = (ids: readonly string[]) => ({
    mapping: fingerprintMapping(mapping),
    cohort: fingerprintCohort(ids),
  });
  const before =
    resume !== undefined && "ids" in cohort ? await readParityState(resume, keyOf(cohort.ids)) : undefined;
  const finished = countPositions(before?.done ?? []);

  const watchBudget = await openWatchBudget(values, {
    config,
    origins,
    isLocal: isLocalUrl(config.baseUrl),
    env: io.env,
  });
  const isLimited = watchBudget !== undefined || v1.burst !== undefined;
  const { fetchBody, close } = createParityClient({
    v1: { ...v1, acquireSlot: watchBudget && v1.burst ? watchBudget.sharedBudget.acquireSlot : undefined },
    v2,
    concurrency,
    signal: io.signal,
    allowLoopback: values["allow-loopback"] === true,
    ...config.limits,
    deadlineMs: config.timeouts.deadlineMs,
  });
  try {
    const defaultMax = watchBudget || !isLimited ? unlimited : parityRequests;
    const budget: ParityBudget = {
      need: requestNeed(cohort, finished, resume !== undefined),
      perPair: plan.requestsPerPair,
      maxRequests: integerOption(values, "requests", { fallback: defaultMax, min: 1, max: unlimited }),
      remaining: watchBudget?.remaining,
    };
    checkBudget(budget);
    const text = values.json ? textIo(io, "-") : io;
    if (!values.json) print(io, `V1 at ${config.baseUrl} · V2 at ${v2.baseUrl}\n`);
    if (isLimited && budget.need.passports > 0) print(text, announceBudget(budget, config.store));

    const requestBudget = limitedBudget(budget.maxRequests, watchBudget?.sharedBudget);
    const { ids, requests: lookups } =
      "listed" in cohort
        ? await sampleIds(fetchBody, cohort.listed, requestBudget)
        : { ids: cohort.ids, requests: 0 };
    const key = keyOf(ids);
    const progress = drawProgress(io, ids.length);
    progress.step(finished);
    const start = before ?? { done: [], aggregate: { ...emptyParity(), requests: { v1: lookups, v2: 0 } } };
    let at = before?.at;
    const { aggregate, ending } = await runParity({
      ids,
      mapping,
      plan,
      fetchBody,
      secondReadDelayMs,
      signal: io.signal,
      concurrentRecords: concurrency,
      requestBudget,
      shape,
      resumeFrom: { done: start.done, aggregate: start.aggregate },
      // A killed run does not release its reservations, so batches are small if a budget applies.
      batchSize: isLimited ? 10 : 100,
      concurrentBatches: 2,
      onProgress: async ({ done, aggregate: partial }) => {
        at = new Date().toISOString();
        if (resume !== undefined)
          await writeParityState(resume, {
            schema: "v1watch/parity-state/1",
            at,
            ...key,
            done,
            aggregate: partial,
          });
        progress.step(countPositions(done));
      },
    });
    progress.end();
    return printParity(io, values.json === true, {
      verdict: judgeParity(aggregate, rule),
      aggregate,
      mapping,
      ending,
      rule,
      lookups,
      at,
      fingerprint: key.mapping,
      monthEndMs: watchBudget?.remaining.monthEndMs,
    });
  } finally {
    close();
    watchBudget?.close();
  }
};
