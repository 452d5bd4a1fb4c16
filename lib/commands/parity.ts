// `v1watch parity`: V1 twice and V2 once, through the mapping, and where they differ beyond the noise.
import { durationMs, mistakesText, readConfig } from "../config.ts";
import { createLocalKey } from "../local/keys.ts";
import { mappingFileName, mappingMistakesText, readMapping } from "../migration/mapping.ts";
import { runParity } from "../migration/parity.ts";
import { openAsk, type Target } from "../migration/parity-ask.ts";
import { countPositions, fingerprintCohort, fingerprintMapping } from "../migration/parity-cohort.ts";
import { diffyRule, judgeParity, type Rule } from "../migration/parity-judge.ts";
import { planParity } from "../migration/parity-plan.ts";
import type { KeyAnswer } from "../ports.ts";
import type { Migration } from "../records/migration.ts";
import { type Command, exitCodes, integerOption, UsageError, type Values } from "./command.ts";
import { readKey } from "./key.ts";
import { defaultSample, findIds } from "./parity-ids.ts";
import { readState, writeState } from "./parity-state.ts";
import { drawProgress, renderParity } from "./parity-text.ts";

const defaultBudget = 500;
const windowMs = 10_000;
const defaultRate = 20;

const help = `v1watch parity [--mapping FILE] [--cohort FILE] [--sample N] [--resume FILE] [options]

Reads V1 twice and V2 once for each passport, and says which fields differ more than V1 differs from
itself. Values are compared in memory; only paths, kinds and counts are shown or kept.

  --mapping FILE       another file than ${mappingFileName}
  --cohort FILE        passport ids or wallets, one a line; without it they are taken from V1's list
  --sample N           so many passports (${defaultSample} from the list; all of a cohort)
  --resume FILE        keeps how far a cohort has come, and goes on from there
  --requests N         that this run may make, to both together (${defaultBudget}; on this machine no limit)
  --rate N             requests in any 10 s to each version (${defaultRate}; on this machine no limit)
  --concurrency N      requests at once to each version (4)
  --apart TIME         between the two reads of V1, from 0s to 10m (30s)
  --min-pairs N        fewer read "insufficient evidence" (${diffyRule.minPairs})
  --relative P         reported beyond P % relative (${diffyRule.relativePercent}) …
  --absolute P         … and P % absolute difference (${diffyRule.absolutePercent})
  --v2-base-url URL    another place than the mapping's
  --v2-schema FILE     V2's OpenAPI 3 document or JSON Schema: its answers are held against it
  --base-url, --config, --timeout, --allow-loopback   as for probe
  --json               for programs

Exit codes: 0 parity, 1 differences, 2 insufficient evidence, usage or configuration.

Example:
  v1watch parity --cohort ids.txt --resume parity.state.json --requests 4000
`;

// biome-ignore format: a list of names
const texts = ["mapping", "cohort", "sample", "resume", "requests", "rate", "concurrency", "apart", "min-pairs",
  "relative", "absolute", "v2-base-url", "v2-schema", "base-url", "config", "timeout"];

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
    const apartMs = apartOption(values);
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

    const v1 = target("V1", config.baseUrl, await readKey(config, origins, io.env), values);
    const v2 = target(
      "V2",
      textOption(values, "v2-base-url") ?? mapping.v2.baseUrl,
      await readLaterKey(mapping, io.env),
      values,
    );
    const budget = integerOption(values, "requests", v1.burst || v2.burst ? defaultBudget : 1e9, 1, 1e9);
    const { ask, close } = openAsk({
      ...{ v1, v2, concurrency, signal: io.signal, allowLoopback: values["allow-loopback"] === true },
      ...{ ...config.limits, deadlineMs: config.timeouts.deadlineMs },
    });
    try {
      const cohort = await findIds(values, config.samples.passports, plan, budget, ask);
      const { ids } = cohort;
      const resume = textOption(values, "resume");
      const key = { mapping: fingerprintMapping(mapping), cohort: fingerprintCohort(ids) };
      const before = resume === undefined ? undefined : await readState(resume, key);
      const progress = drawProgress(io, ids.length);
      progress.step(countPositions(before?.done ?? []));
      const { aggregate, ending } = await runParity({
        ...{ ids, mapping, plan, ask, apartMs, signal: io.signal, atOnce: concurrency },
        ...(shape && { shape }),
        ...(before && { before: { done: before.done, aggregate: before.aggregate } }),
        ...{ batchSize: 100, lanes: 2, budget: budget - cohort.requests },
        onProgress: async ({ done, aggregate: so }) => {
          if (resume !== undefined)
            await writeState(resume, { schema: "v1watch/parity-state/1", ...key, done, aggregate: so });
          progress.step(countPositions(done));
        },
      });
      progress.end();
      const verdict = judgeParity(aggregate, rule);
      const { pairs, skipped, requests, fields } = aggregate;
      if (values.json) {
        const report = {
          schema: "v1watch/parity-report/1",
          ...verdict,
          ending,
          rule,
          skipped,
          requests,
          counts: fields,
          pairs,
        };
        io.out(`${JSON.stringify(report, null, 2)}\n`);
      } else {
        io.out(
          `V1 at ${config.baseUrl} · V2 at ${v2.baseUrl}\n\n${renderParity({ verdict, aggregate, ending, rule })}`,
        );
      }
      const codes = {
        parity: exitCodes.fine,
        differences: exitCodes.findings,
        insufficient: exitCodes.usage,
      };
      return codes[verdict.verdict];
    } finally {
      close();
    }
  },
};

const textOption = (values: Values, name: string) => {
  const text = values[name];
  return typeof text === "string" ? text : undefined;
};

function percentOption(values: Values, name: string, fallback: number): number {
  const text = textOption(values, name);
  if (text === undefined) return fallback;
  if (!/^\d{1,3}(?:\.\d{1,6})?$/.test(text) || Number(text) > 100) {
    throw new UsageError(`--${name} takes a percentage from 0 to 100, not "${text}"`);
  }
  return Number(text);
}

function ruleOption(values: Values): Rule {
  return {
    minPairs: integerOption(values, "min-pairs", diffyRule.minPairs, 1, 1_000_000),
    relativePercent: percentOption(values, "relative", diffyRule.relativePercent),
    absolutePercent: percentOption(values, "absolute", diffyRule.absolutePercent),
  };
}

function apartOption(values: Values): number {
  const text = textOption(values, "apart") ?? "30s";
  if (!/^\d{1,4}[sm]$/.test(text) || durationMs(text) > 600_000) {
    throw new UsageError(`--apart takes a time from 0s to 10m, not "${text}"`);
  }
  return durationMs(text);
}

function target(name: string, baseUrl: string, key: KeyAnswer, values: Values): Target {
  if (key.kind === "no-secret")
    throw new UsageError(`${name}'s key cannot be read from where the file says it is`);
  const url = URL.parse(baseUrl);
  if (!url) throw new UsageError(`"${baseUrl}" is not a web address`);
  const isLocal = /^(?:127\.|\[::1\]$|localhost$|.*\.localhost$)/.test(url.hostname);
  const requests = integerOption(values, "rate", isLocal ? 0 : defaultRate, 1, 100_000);
  return {
    baseUrl,
    ...(key.kind === "key" && { apiKey: key.key }),
    ...(requests > 0 && { burst: { requests, windowMs } }),
  };
}

async function readLaterKey(
  { v2: { key } }: Migration,
  env: Readonly<Record<string, string | undefined>>,
): Promise<KeyAnswer> {
  if (key === "none" || "env" in key || "file" in key) return createLocalKey(key, env)();
  return { kind: "no-secret" };
}
