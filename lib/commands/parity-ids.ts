// Which passports a comparison is made of.
import { readFile } from "node:fs/promises";
import { readCohort, sampleCohort } from "../migration/parity-cohort.ts";
import { integerOption, UsageError, type Values } from "./command.ts";

export const defaultSample = 50;

/** Pages of 25 were seen. */
const pageSize = 25;

/** Known already, or so many to be taken from V1's list. */
export type Cohort = { ids: readonly string[]; isFile: boolean } | { listed: number };

/** What a cohort still needs, with the look-ups that find its ids. */
export type Need = { passports: number; lookups: number; isFile: boolean; isResumable: boolean };

/** A cohort's file, the configuration's samples, or V1's list. */
export async function chooseCohort(values: Values, samples: "auto" | number[]): Promise<Cohort> {
  const file = typeof values.cohort === "string" ? values.cohort : undefined;
  const sample = values.sample === undefined ? undefined : integerOption(values, "sample", 1, 1, 10_000_000);
  if (file === undefined && values.resume !== undefined)
    throw new UsageError("--resume needs a --cohort, whose positions it keeps");
  if (file !== undefined)
    return { ids: sampleCohort(await readIds(file), sample ?? Number.POSITIVE_INFINITY), isFile: true };
  if (samples !== "auto") return { ids: samples.slice(0, sample).map(String), isFile: false };
  return { listed: sample ?? defaultSample };
}

export function needOf(cohort: Cohort, done: number, isResumable: boolean): Need {
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
    throw new UsageError(
      `"${file}" has lines that are neither a passport id nor a wallet: ${read.lines.join(", ")}${more}`,
    );
  }
  if (read.ids.length === 0) throw new UsageError(`"${file}" holds no id`);
  return read.ids;
}
