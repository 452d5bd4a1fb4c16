// `v1watch parity`: V1 twice and V2 once, through the mapping, and where they differ beyond the noise.
import { mistakesText, readConfig } from "../../config/config.ts";
import { mappingFileName, mappingMistakesText, readMapping } from "../../mapping/mapping.ts";
import { countPositions, fingerprintCohort, fingerprintMapping } from "../../parity/cohort.ts";
import { diffyRule, judgeParity } from "../../parity/judge.ts";
import { limitedBudget } from "../../parity/limits.ts";
import { runParity, sampleIds } from "../../parity/parity.ts";
import { planParity } from "../../parity/plan.ts";
import { createParityClient } from "../../parity/request.ts";
import { emptyParity } from "../../records/parity.ts";
import { type Command, exitCodes, integerOption, UsageError } from "../command.ts";
import { readKey, readKeyFrom } from "../key.ts";
import { checkWritable } from "../output-file.ts";
import { announceBudget, type Budget, checkBudget, openBooks } from "./budget.ts";
import {
  apartOption,
  chooseCohort,
  defaultRates,
  defaultSample,
  isLocalUrl,
  needOf,
  ruleOption,
  target,
  textOption,
} from "./options.ts";
import { readState, writeState } from "./resume-state.ts";
import { drawProgress, renderParity } from "./text.ts";

/** A tenth of what a free key has in a month. */
const defaultRequests = 500;
const endless = 1e9;

const help = `v1watch parity [--mapping FILE] [--cohort FILE] [--sample N] [--resume FILE] [options]

Reads V1 twice and V2 once for each passport, and says which fields differ more than V1 differs from
itself. Values are compared in memory; only paths, kinds and counts are shown or kept.

What it asks of V1 is paid by the key that the watch counts on. So it is booked in the watch's budget,
running or not, and takes no more than the watch can spare this month. V2 has a key of its own: what it
is asked follows from the passports, and is said. V1 on this machine has no limit unless --store is given.

  --mapping FILE       another file than ${mappingFileName}
  --cohort FILE        passport ids or wallets, one a line; without it they are taken from V1's list
  --sample N           so many passports (${defaultSample} from the list; all of a cohort)
  --resume FILE        keeps how far a cohort has come, and goes on from there
  --store FILE         the watch's store, whose budget pays (the configuration's)
  --table NAME         the same for a watch in AWS: the output TableName of its stack
  --requests N         to V1 at the most, look-ups included (what the watch can spare; ${defaultRequests} without a watch)
  --rate N             requests in any 10 s to each version (${defaultRates.V1} to V1, ${defaultRates.V2} to V2; beside a watch never
                       more than ${defaultRates.V1} to V1; on this machine no limit)
  --concurrency N      requests at once to each version (4)
  --apart TIME         between the two reads of V1, from 0s to 10m (30s)
  --min-pairs N        fewer read "insufficient evidence" (${diffyRule.minPairs})
  --relative P         reported beyond P % relative (${diffyRule.relativePercent}) …
  --absolute P         … and P % absolute difference (${diffyRule.absolutePercent})
  --min-differences N  fewer, where V1 showed no noise, could be chance: more pairs are needed (${diffyRule.minDifferences})
  --v2-base-url URL    another place than the mapping's
  --v2-schema FILE     V2's OpenAPI 3 document or JSON Schema: its answers are validated against it
  --base-url, --config, --timeout, --allow-loopback   as for probe
  --json               for programs

Exit codes: 0 parity, 1 differences, 2 insufficient evidence, usage or configuration.

Example:
  v1watch parity --cohort ids.txt --resume parity.state.json --requests 400
`;

// biome-ignore format: a list of names
const texts = ["mapping", "cohort", "sample", "resume", "store", "table", "requests", "rate", "concurrency", "apart",
  "min-pairs", "relative", "absolute", "min-differences", "v2-base-url", "v2-schema", "base-url", "config", "timeout"];

export const parity: Command = {
  name: "parity",
  summary: "compare V2's answers with V1's, V1's own noise aside",
  help,
  options: {
    ...Object.fromEntries(texts.map((name) => [name, { type: "string" as const }])),
    "allow-loopback": { type: "boolean" },
    json: { type: "boolean" },
  },
  async run(values, _positionals, io) {
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
    const concurrency = integerOption(values, "concurrency", 4, 1, 64);

    const v2Url = textOption(values, "v2-base-url") ?? mapping.v2.baseUrl;
    const v1 = target("V1", config.baseUrl, await readKey(config, origins, io.env), values);
    const v2 = target("V2", v2Url, await readKeyFrom(mapping.v2.key, io.env, config.aws.region), values);
    const cohort = await chooseCohort(values, config.samples.passports);
    const resume = textOption(values, "resume");
    if (resume !== undefined) await checkWritable(resume);
    const keyOf = (ids: readonly string[]) => ({
      mapping: fingerprintMapping(mapping),
      cohort: fingerprintCohort(ids),
    });
    const before =
      resume !== undefined && "ids" in cohort ? await readState(resume, keyOf(cohort.ids)) : undefined;
    const finished = countPositions(before?.done ?? []);

    const books = await openBooks(values, {
      config,
      origins,
      isLocal: isLocalUrl(config.baseUrl),
      env: io.env,
    });
    const isLimited = books !== undefined || v1.burst !== undefined;
    const { fetchBody, close } = createParityClient({
      v1: { ...v1, ...(books && v1.burst && { acquireSlot: books.sharedBudget.acquireSlot }) },
      ...{ v2, concurrency, signal: io.signal, allowLoopback: values["allow-loopback"] === true },
      ...{ ...config.limits, deadlineMs: config.timeouts.deadlineMs },
    });
    try {
      const usual = books || !isLimited ? endless : defaultRequests;
      const budget: Budget = {
        need: needOf(cohort, finished, resume !== undefined),
        perPair: plan.requestsPerPair,
        bound: integerOption(values, "requests", usual, 1, endless),
        spare: books?.spare,
      };
      checkBudget(budget);
      const say = values.json ? io.err : io.out;
      if (!values.json) io.out(`V1 at ${config.baseUrl} · V2 at ${v2.baseUrl}\n`);
      if (isLimited && budget.need.passports > 0) say(announceBudget(budget, config.store));

      const requestBudget = limitedBudget(budget.bound, books?.sharedBudget);
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
        ...{
          ids,
          mapping,
          plan,
          fetchBody,
          secondReadDelayMs,
          signal: io.signal,
          concurrentPassports: concurrency,
          requestBudget,
        },
        ...(shape && { shape }),
        resumeFrom: { done: start.done, aggregate: start.aggregate },
        // What a killed run has set aside stays in the books, so it is little where they are kept.
        ...{ batchSize: isLimited ? 10 : 100, concurrentBatches: 2 },
        onProgress: async ({ done, aggregate: so }) => {
          at = new Date().toISOString();
          if (resume !== undefined)
            await writeState(resume, { schema: "v1watch/parity-state/1", at, ...key, done, aggregate: so });
          progress.step(countPositions(done));
        },
      });
      progress.end();
      const verdict = judgeParity(aggregate, rule);
      const { pairs, skipped, requests, fields } = aggregate;
      if (values.json) {
        const report = {
          schema: "v1watch/parity-report/1",
          ...(at !== undefined && { at }),
          mapping: key.mapping,
          ...verdict,
          ...{ ending, rule, skipped, requests, counts: fields, pairs },
        };
        io.out(`${JSON.stringify(report, null, 2)}\n`);
      } else {
        const monthEndMs = books?.spare.monthEndMs;
        io.out(`\n${renderParity({ verdict, aggregate, mapping, ending, rule, lookups, monthEndMs })}`);
      }
      const codes = {
        parity: exitCodes.fine,
        differences: exitCodes.findings,
        insufficient: exitCodes.usage,
      };
      return codes[verdict.verdict];
    } finally {
      close();
      books?.close();
    }
  },
};
