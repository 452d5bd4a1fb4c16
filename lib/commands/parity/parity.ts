// v1watch parity: compares V2 with V1 through the mapping. V1 is read twice to measure its own variance.

import { mistakesText, readConfig } from "../../config/config.ts";
import { mappingFileName, mappingMistakesText, readMapping } from "../../mapping/mapping.ts";
import { countPositions, fingerprintCohort, fingerprintMapping } from "../../parity/cohort.ts";
import { defaultDetectPercent, maxWorkers } from "../../parity/estimate.ts";
import { diffyRule, judgeParity } from "../../parity/judge.ts";
import { runParity, sampleIds } from "../../parity/parity.ts";
import { planParity } from "../../parity/plan.ts";
import { createParityClient } from "../../parity/request.ts";
import { limitedBudget } from "../../parity/request-budget.ts";
import { emptyParity } from "../../records/parity.ts";
import { type Command, exitCodes, integerOption, type OptionName, UsageError } from "../command.ts";
import { readKey, readKeyFrom } from "../key.ts";
import { checkWritable } from "../output-file.ts";
import { announceBudget, checkBudget, openWatchBudget, type ParityBudget } from "./budget.ts";
import { awsOptions, runInAws } from "./in-aws.ts";
import {
  apartOption,
  chooseCohort,
  createTarget,
  defaultRates,
  defaultSample,
  isLocalUrl,
  requestNeed,
  ruleOption,
  textOption,
} from "./options.ts";
import { readParityState, writeParityState } from "./progress-file.ts";
import { drawProgress, printParity } from "./text.ts";

/** A tenth of the monthly quota of a free key. */
const defaultRequests = 500;
const unlimited = 1e9;

const help = `v1watch parity [--mapping FILE] [--cohort FILE] [--sample N] [--resume FILE] [options]

Reads V1 twice and V2 once for each passport, and reports the fields that differ more than V1 varies by itself.
Values are compared in memory; only paths, kinds and counts are printed or stored.

Requests to V1 use the key of the watch. They are counted in the budget of the watch, running or not, and are limited
to what the watch does not need this month. V2 has its own key, so requests to V2 are printed but not limited. A V1
on this machine has no limit unless --store is given.

  --mapping FILE       mapping file (default ${mappingFileName})
  --cohort FILE        passport ids or wallets, one per line; without it they are taken from V1's list
  --sample N           number of passports (default ${defaultSample} from the list, all of a cohort)
  --resume FILE        stores the progress in a cohort, and continues from there
  --store FILE         store of the watch whose budget is used (default: from the configuration)
  --table NAME         the same for a watch in AWS: the stack output TableName
  --requests N         maximum of requests to V1, lookups included (default: what the watch does not need;
                       ${defaultRequests} without a watch)
  --rate N             requests in any 10 s to each version (default ${defaultRates.V1} to V1, ${defaultRates.V2} to V2; with a watch at most
                       ${defaultRates.V1} to V1; on this machine no limit)
  --concurrency N      concurrent requests to each version (default 4)
  --apart TIME         delay between the two reads of V1, from 0s to 10m (default 30s)
  --min-pairs N        with fewer pairs the result is "insufficient evidence" (default ${diffyRule.minPairs})
  --relative P         report a field above P % relative difference (default ${diffyRule.relativePercent}) …
  --absolute P         … and above P % absolute difference (default ${diffyRule.absolutePercent})
  --min-differences N  if V1 itself did not vary, fewer differences could be chance (default ${diffyRule.minDifferences})
  --in-aws             compare a cohort of millions in AWS (aws.comparison); see docs/scale.md
  --estimate           with --in-aws: print requests, hours, dollars and the sample, and send nothing
  --census             with --in-aws: compare all passports of the cohort (default: a random sample)
  --detect P           with --in-aws: the sample finds what differs in P % of the passports (default ${defaultDetectPercent})
  --v2-requests N      with --in-aws: maximum of requests to V2 (default: no limit)
  --workers N          with --in-aws: the most functions at once (default by the rate, at most ${maxWorkers})
  --status, --pause, --resume, --cancel   of the comparison in AWS; --status follows it on a terminal
  --v2-base-url URL    base URL of V2 (default: from the mapping)
  --v2-schema FILE     V2's OpenAPI 3 document or JSON Schema; V2's responses are validated against it
  --base-url, --config, --timeout, --allow-loopback   as for probe
  --json               print JSON

Exit codes: 0 parity, 1 differences, 2 insufficient evidence, or usage or configuration error.

Example:
  v1watch parity --cohort ids.txt --resume parity.state.json --requests 400
`;

// biome-ignore format: a list of names
const textOptions: readonly OptionName[] = ["mapping", "cohort", "sample", "resume", "store", "table", "requests", "rate", "concurrency", "apart",
  "min-pairs", "relative", "absolute", "min-differences", "detect", "v2-requests", "workers", "v2-base-url", "v2-schema", "base-url", "config", "timeout"];

export const parity: Command = {
  name: "parity",
  summary: "compare V2's responses with V1's, excluding V1's own variance",
  help,
  options: {
    ...Object.fromEntries(textOptions.map((name) => [name, { type: "string" as const }])),
    "allow-loopback": { type: "boolean" },
    json: { type: "boolean" },
    ...Object.fromEntries(awsOptions.map((name) => [name, { type: "boolean" as const }])),
  },
  optionalValues: ["resume"],
  async run(values, _positionals, io) {
    if (values.resume === "" || awsOptions.some((name) => values[name])) return runInAws(values, io);
    const rule = ruleOption(values);
    const secondReadDelayMs = apartOption(values);
    const loaded = await readConfig(io.env, values);
    const mapped = await readMapping(
      textOption(values, "mapping") ?? mappingFileName,
      textOption(values, "v2-schema"),
    );
    if (!loaded.ok) io.err(mistakesText(loaded.mistakes));
    if (!mapped.ok) io.err(mappingMistakesText(mapped.mistakes));
    if (!loaded.ok || !mapped.ok) return exitCodes.usage;
    const { config, origins } = loaded;
    const { mapping, shape } = mapped;
    const plan = planParity(mapping);
    if (plan.v2Endpoints.length === 0) throw new UsageError("the mapping has no decided field to compare");
    const concurrency = integerOption(values, "concurrency", { fallback: 4, min: 1, max: 64 });

    const v2Url = textOption(values, "v2-base-url") ?? mapping.v2.baseUrl;
    const v1 = createTarget("V1", config.baseUrl, await readKey(config, origins, io.env), values);
    const v2Key = await readKeyFrom(mapping.v2.key, io.env, config.aws.region);
    const v2 = createTarget("V2", v2Url, v2Key, values);
    const cohort = await chooseCohort(values, config.samples.passports);
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
      const defaultMax = watchBudget || !isLimited ? unlimited : defaultRequests;
      const budget: ParityBudget = {
        need: requestNeed(cohort, finished, resume !== undefined),
        perPair: plan.requestsPerPair,
        maxRequests: integerOption(values, "requests", { fallback: defaultMax, min: 1, max: unlimited }),
        remaining: watchBudget?.remaining,
      };
      checkBudget(budget);
      const log = values.json ? io.err : io.out;
      if (!values.json) io.out(`V1 at ${config.baseUrl} · V2 at ${v2.baseUrl}\n`);
      if (isLimited && budget.need.passports > 0) log(announceBudget(budget, config.store));

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
        concurrentPassports: concurrency,
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
  },
};
