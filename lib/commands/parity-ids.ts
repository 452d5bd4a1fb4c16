// Which passports a comparison is made of, and whether the budget bears them.
import { readFile } from "node:fs/promises";
import { sampleIds } from "../migration/parity.ts";
import type { Ask } from "../migration/parity-ask.ts";
import { readCohort, sampleCohort } from "../migration/parity-cohort.ts";
import type { ParityPlan } from "../migration/parity-plan.ts";
import { integerOption, UsageError, type Values } from "./command.ts";

export const defaultSample = 50;

type Found = { ids: readonly string[]; requests: number };

/** A cohort's file, the configuration's samples, or V1's list; refused where the budget cannot bear them. */
export async function findIds(
  values: Values,
  samples: "auto" | number[],
  plan: ParityPlan,
  budget: number,
  ask: Ask,
): Promise<Found> {
  const file = typeof values.cohort === "string" ? values.cohort : undefined;
  const sample = values.sample === undefined ? undefined : integerOption(values, "sample", 1, 1, 10_000_000);
  if (file === undefined && values.resume !== undefined)
    throw new UsageError("--resume needs a --cohort, whose positions it keeps");
  if (file !== undefined) {
    const ids = sampleCohort(await readIds(file), sample ?? Number.POSITIVE_INFINITY);
    if (values.resume === undefined)
      checkBudget(ids.length, 0, plan, budget, ", --resume FILE to go on another day");
    return { ids, requests: 0 };
  }
  if (samples !== "auto") {
    const ids = samples.slice(0, sample).map(String);
    checkBudget(ids.length, 0, plan, budget);
    return { ids, requests: 0 };
  }
  const wanted = sample ?? defaultSample;
  // Pages of 25 were seen.
  checkBudget(wanted, Math.ceil(wanted / 25), plan, budget);
  return sampleIds(ask, wanted);
}

function checkBudget(
  passports: number,
  lookups: number,
  plan: ParityPlan,
  budget: number,
  further = "",
): void {
  const needed = passports * plan.requestsPerPair + lookups;
  if (needed <= budget) return;
  const fitting = Math.floor((budget - lookups) / plan.requestsPerPair);
  const digits = (number: number) => number.toLocaleString("en");
  throw new UsageError(
    `${digits(passports)} passports need ${digits(needed)} requests, ${digits(budget)} are allowed. ` +
      `Use --sample ${Math.max(1, fitting)}${further}, or raise --requests.`,
  );
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
