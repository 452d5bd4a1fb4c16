// Parses the options of a parity run: the comparison rule, the delay between reads, the targets and the cohort.

import { readFile } from "node:fs/promises";
import { durationMs } from "../../config/config.ts";
import { api } from "../../contract/endpoints.ts";
import { readCohort, sampleCohort } from "../../parity/cohort.ts";
import { diffyRule, type ParityRule } from "../../parity/judge.ts";
import type { Target } from "../../parity/request.ts";
import { integerOption, type OptionName, type OptionValues, UsageError } from "../command.ts";
import { parityRates, paritySample } from "../defaults.ts";
import type { CommandKey } from "../key.ts";

const windowMs = 10_000;

export const textOption = (values: OptionValues, name: OptionName) => {
  const text = values[name];
  return typeof text === "string" ? text : undefined;
};

export function percentOption(values: OptionValues, name: OptionName, fallback: number): number {
  const text = textOption(values, name);
  if (text === undefined) return fallback;
  if (!/^\d{1,3}(?:\.\d{1,6})?$/.test(text) || Number(text) > 100) {
    throw new UsageError(`--${name} must be a percentage from 0 to 100, not "${text}"`);
  }
  return Number(text);
}

export function ruleOption(values: OptionValues): ParityRule {
  return {
    minPairs: integerOption(values, "min-pairs", { fallback: diffyRule.minPairs, min: 1, max: 1_000_000 }),
    relativePercent: percentOption(values, "relative", diffyRule.relativePercent),
    absolutePercent: percentOption(values, "absolute", diffyRule.absolutePercent),
    minDifferences: integerOption(values, "min-differences", {
      fallback: diffyRule.minDifferences,
      min: 1,
      max: 1_000_000,
    }),
  };
}

export function apartOption(values: OptionValues): number {
  const text = textOption(values, "apart") ?? "30s";
  if (!/^\d{1,4}[sm]$/.test(text) || durationMs(text) > 600_000) {
    throw new UsageError(`--apart must be a duration from 0s to 10m, not "${text}"`);
  }
  return durationMs(text);
}

export function isLocalUrl(baseUrl: string): boolean {
  const hostname = URL.parse(baseUrl)?.hostname ?? "";
  return /^(?:127\.|\[::1\]$|localhost$|.*\.localhost$)/.test(hostname);
}

export function createTarget(
  name: "V1" | "V2",
  baseUrl: string,
  key: CommandKey,
  values: OptionValues,
): Target {
  if (key.kind === "no-secret") throw new UsageError(`for ${name}, ${key.remedy}`);
  if (!URL.canParse(baseUrl)) throw new UsageError(`"${baseUrl}" is not a valid URL`);
  const requests = integerOption(values, "rate", {
    fallback: isLocalUrl(baseUrl) ? 0 : parityRates[name],
    min: 1,
    max: 100_000,
  });
  return {
    baseUrl,
    apiKey: key.kind === "key" ? key.key : undefined,
    burst: requests > 0 ? { requests, windowMs } : undefined,
  };
}

/** Observed page size of V1's list. It is not documented. */
const pageSize = 25;

const { nouns, otherId } = api.sample;
/** What is wrong with a line of a cohort. */
export const notAnId = otherId
  ? `neither a ${nouns.one} id nor a ${otherId.name}`
  : `no id of a ${nouns.one}`;

/** The ids of the passports to compare, or the number of passports to take from V1's list. */
export type Cohort = { ids: readonly string[]; isFile: boolean } | { listed: number };

/** The passports that remain to be compared, and the list requests that find their ids. */
export type RequestNeed = { passports: number; lookups: number; isFile: boolean; isResumable: boolean };

/** The cohort comes from a file, from the samples in the configuration, or from V1's list. */
export async function chooseCohort(
  values: OptionValues,
  samples: "auto" | readonly (string | number)[],
): Promise<Cohort> {
  const file = typeof values.cohort === "string" ? values.cohort : undefined;
  const sample =
    values.sample === undefined
      ? undefined
      : integerOption(values, "sample", { fallback: 1, min: 1, max: 10_000_000 });
  if (file === undefined && values.resume !== undefined)
    throw new UsageError("--resume needs --cohort, because it stores positions in the cohort");
  if (file !== undefined)
    return { ids: sampleCohort(await readIds(file), sample ?? Number.POSITIVE_INFINITY), isFile: true };
  if (samples !== "auto") return { ids: samples.slice(0, sample).map(String), isFile: false };
  return { listed: sample ?? paritySample };
}

export function requestNeed(cohort: Cohort, done: number, isResumable: boolean): RequestNeed {
  return "listed" in cohort
    ? { passports: cohort.listed, lookups: Math.ceil(cohort.listed / pageSize), isFile: false, isResumable }
    : { passports: cohort.ids.length - done, lookups: 0, isFile: cohort.isFile, isResumable };
}

async function readIds(file: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read "${file}": ${(error as NodeJS.ErrnoException).code}`);
  }
  const read = readCohort(text);
  if (!read.ok) {
    const more = read.count > read.lines.length ? ` and ${read.count - read.lines.length} more` : "";
    throw new UsageError(`"${file}" has lines that are ${notAnId}: ${read.lines.join(", ")}${more}`);
  }
  if (read.ids.length === 0) throw new UsageError(`"${file}" contains no ids`);
  return read.ids;
}
