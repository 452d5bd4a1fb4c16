// The options of a comparison, and what is made of them: the rule, the targets and the cohort.

import { createReadStream } from "node:fs";
import { durationMs, mistakesText, readConfig } from "../../config/config.ts";
import { isLoopbackHost } from "../../config/loopback.ts";
import { api } from "../../contract/endpoints.ts";
import { mappingFileName, readMapping } from "../../mapping/mapping.ts";
import { type Ids, readCohort } from "../../parity/cohort.ts";
import type { Target } from "../../parity/request.ts";
import { minDetectPercent, sampleSize } from "../../parity/sample.ts";
import { sharedBurst } from "../../probe/schedule/shared-budget.ts";
import { flag, type Io, integer, parsed, text, UsageError, type Values } from "../command.ts";
import type { CommandKey } from "../key.ts";
import {
  allowLoopback,
  baseUrl,
  config as configOption,
  json,
  mapping as mappingOption,
  timeout,
  v2Schema,
} from "../shared-options.ts";

/** Requests in any 10 s. The rate for V1 leaves capacity for a watch that uses the same V1. */
const usualRates = { V1: sharedBurst, V2: 20 } as const;
/** A tenth of the monthly quota of a free key. */
export const usualRequests = 500;
export const unlimited = 1e12;
const usualSample = 50;
/** To each version at once. */
export const concurrentRequests = 4;
const windowMs = 10_000;

const { nouns, otherId } = api.sample;

const count = (description: string, max: number) =>
  integer("<N>", description, { min: 1, max, fallback: undefined });

export const parityOptions = {
  mapping: mappingOption,
  cohort: text(
    "<FILE>",
    `${nouns.one} ids${otherId ? ` or ${otherId.nouns.many}` : ""}, one per line; without it they are taken from V1's list`,
  ),
  sample: count(
    `number of ${nouns.many}, of a cohort a random sample (default ${usualSample} from the list, all of a cohort)`,
    1e9,
  ),
  detect: {
    ...parsed(
      "<P>",
      `the same by what it finds: a difference in P % of the cohort, from ${minDetectPercent} to 100`,
      {
        parse(given, name) {
          const percent = Number(given);
          if (/^\d{1,3}(?:\.\d{1,6})?$/.test(given) && percent >= minDetectPercent && percent <= 100)
            return percent;
          throw new UsageError(
            `${name} must be a percentage from ${minDetectPercent} to 100, not "${given}"`,
          );
        },
        fallback: undefined,
      },
    ),
    conflictsWith: "sample",
  },
  estimate: {
    ...flag("print the requests, the time and what the sample may miss, and send nothing"),
    conflictsWith: "json",
  },
  once: flag("do not wait for an hour to read again what rarely differs"),
  "write-ids": text(
    "<FILE>",
    `write the ids of ${nouns.many} that differ to FILE, with the fields: personal data, for your eyes only (0600)`,
  ),
  resume: text("<FILE>", "store the progress in FILE, and continue from there"),
  store: text("<FILE>", "store of the watch whose budget is used (default: from the configuration)"),
  table: {
    ...text("<NAME>", "the same for a watch in AWS: the stack output TableName"),
    conflictsWith: "store",
  },
  requests: count(
    `maximum number of requests to V1, lookups included (default: what the watch does not need; ${usualRequests} without a watch)`,
    unlimited,
  ),
  rate: count(
    `requests in any 10 s to each version (default ${usualRates.V1} to V1, ${usualRates.V2} to V2; with a watch at most ${usualRates.V1} to V1; on this machine no limit)`,
    100_000,
  ),
  apart: parsed("<TIME>", "delay between the two reads of V1, from 0s to 10m (default 30s)", {
    parse(given, name) {
      if (/^\d{1,4}[sm]$/.test(given) && durationMs(given) <= 600_000) return durationMs(given);
      throw new UsageError(`${name} must be a duration from 0s to 10m, not "${given}"`);
    },
    fallback: 30_000,
  }),
  "v2-base-url": text("<URL>", "base URL of V2 (default: from the mapping)"),
  "v2-schema": v2Schema("V2's responses are validated against it"),
  "base-url": baseUrl,
  config: configOption,
  timeout,
  "allow-loopback": allowLoopback,
  json,
};
export type ParityValues = Values<typeof parityOptions>;

/** The configuration and the mapping. The mistakes of both end the command. */
export async function readInputs(values: ParityValues, { env }: Pick<Io, "env">) {
  const loaded = await readConfig(env, values);
  const mapped = await readMapping(values.mapping ?? mappingFileName, values["v2-schema"]);
  if (loaded.ok && mapped.ok)
    return {
      config: loaded.config,
      origins: loaded.origins,
      mapping: mapped.mapping,
      shape: mapped.shape,
    };
  throw new UsageError(
    [
      ...(loaded.ok ? [] : [mistakesText(loaded.mistakes)]),
      ...(mapped.ok ? [] : [mistakesText(mapped.mistakes, "mapping")]),
    ].join("\n"),
  );
}

/** Without its key, which an estimate does not need. */
export function createTarget(name: "V1" | "V2", address: string, { rate }: ParityValues): Target {
  const url = URL.parse(address);
  if (!url) throw new UsageError(`"${address}" is not a valid URL`);
  const requests = rate ?? (isLoopbackHost(url.hostname) ? undefined : usualRates[name]);
  return { baseUrl: address, burst: requests === undefined ? undefined : { requests, windowMs } };
}

export function requireKey(name: "V1" | "V2", key: CommandKey): string | undefined {
  if (key.kind === "no-secret") throw new UsageError(`for ${name}, ${key.remedy}`);
  return key.kind === "key" ? key.key : undefined;
}

/** Observed page size of V1's list. It is not documented. */
const pageSize = 25;

/** What is wrong with a line of a cohort. */
const notAnId = otherId ? `neither a ${nouns.one} id nor a ${otherId.name}` : `no id of a ${nouns.one}`;

/** The ids of the passports to compare, or the number of passports to take from V1's list. */
export type Cohort =
  | {
      ids: Ids;
      /** The passports of the file, where the ids are a sample of it. */
      sampledFrom?: number | undefined;
    }
  | { listed: number };

/** The passports that remain to be compared, and the list requests that find their ids. */
export type RequestNeed = { passports: number; lookups: number; isResumable: boolean };

/** The cohort comes from a file or from V1's list. */
export async function chooseCohort({ cohort: file, sample, detect, resume }: ParityValues): Promise<Cohort> {
  if (file === undefined && resume !== undefined)
    throw new UsageError("--resume needs --cohort, because it stores positions in the cohort");
  if (file === undefined && detect !== undefined)
    throw new UsageError("--detect needs --cohort, of which it takes a random sample");
  if (file !== undefined) {
    const { ids, of } = await readIds(file, detect === undefined ? sample : sampleSize(detect));
    return { ids, sampledFrom: ids.length < of ? of : undefined };
  }
  return { listed: sample ?? usualSample };
}

export function requestNeed(cohort: Cohort, done: number, isResumable: boolean): RequestNeed {
  return "listed" in cohort
    ? { passports: cohort.listed, lookups: Math.ceil(cohort.listed / pageSize), isResumable }
    : { passports: cohort.ids.length - done, lookups: 0, isResumable };
}

async function readIds(file: string, size: number | undefined): Promise<{ ids: Ids; of: number }> {
  const read = await readCohort(linesOf(file), size).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`cannot read "${file}": ${error.code ?? error.message}`);
  });
  if (!read.ok) {
    const more = read.count > read.lines.length ? ` and ${read.count - read.lines.length} more` : "";
    throw new UsageError(`"${file}" has lines that are ${notAnId}: ${read.lines.join(", ")}${more}`);
  }
  if (read.of === 0) throw new UsageError(`"${file}" contains no ids`);
  return read;
}

/** Line by line: a cohort may have millions. */
async function* linesOf(file: string): AsyncIterable<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}
