// v1watch parity --in-aws: cuts a cohort into chunks in S3, starts the state machine of the stack and follows it.

import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, requestsPerMonth } from "../../config/config.ts";
import { api } from "../../contract/endpoints.ts";
import { fingerprintMapping } from "../../parity/cohort.ts";
import {
  defaultDetectPercent,
  describeSample,
  estimateRun,
  maxWorkers,
  planRun,
  sampleSize,
} from "../../parity/estimate.ts";
import { type CohortCounts, readChunks, spreadCohort } from "../../parity/large-cohort.ts";
import { planParity } from "../../parity/plan.ts";
import type { ComparisonRun, ComparisonSettings } from "../../records/parity.ts";
import { formatCount, plural } from "../../text.ts";
import { describeDuration } from "../../time.ts";
import {
  exitCodes,
  type Io,
  integerOption,
  type OptionName,
  type OptionValues,
  UsageError,
} from "../command.ts";
import { parityRates } from "../defaults.ts";
import { print } from "../layout.ts";
import { textIo } from "../output-file.ts";
import { withRemedy } from "../remedies.ts";
import { follow, type Input, type Opened, open, remedies } from "./follow.ts";
import { readInputs } from "./inputs.ts";
import { apartOption, notAnId, percentOption, textOption } from "./options.ts";

export const awsOptions = [
  "in-aws",
  "estimate",
  "census",
  "status",
  "pause",
  "cancel",
] as const satisfies readonly OptionName[];

const unlimited = 1e12;
/** Every worker reads it. */
const maxSchemaLength = 2_000_000;

export async function runInAws(values: OptionValues, io: Io): Promise<number> {
  const inputs = await readInputs(values, io);
  if (!inputs) return exitCodes.usage;
  const { config, mapping, shape } = inputs;
  const input = {
    values,
    io,
    config,
    mapping,
    v2Schema: shape && JSON.stringify(shape.document),
  };
  if (values["v2-base-url"] !== undefined)
    throw new UsageError(
      "--in-aws uses the address of V2 in the deployed mapping. Leave --v2-base-url out, or change the mapping and deploy it.",
    );
  if ((input.v2Schema?.length ?? 0) > maxSchemaLength)
    throw new UsageError(
      `V2's schema has ${formatCount(input.v2Schema?.length ?? 0)} characters, and a comparison in AWS takes ${formatCount(maxSchemaLength)}. Reduce it to the endpoints of the mapping.`,
    );
  if (values["in-aws"] || values.estimate || values.census) return start(input);
  return withRemedy("the comparison in AWS cannot be used", remedies, async () => {
    const opened = await open(config);
    const run = await opened.comparison.read();
    if (!run) throw new UsageError("there is no comparison yet. Start one with --cohort FILE --in-aws.");
    if (values.status) return follow(input, opened, !io.isTerminal || values.json === true);
    return values.resume === true ? resume(input, opened, run) : stop(input, opened, run);
  });
}

async function start(input: Input): Promise<number> {
  const { values, io, config, mapping, v2Schema } = input;
  const file = textOption(values, "cohort");
  if (file === undefined) throw new UsageError("--in-aws needs --cohort FILE");
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error.code ?? "unknown");
  if (typeof found === "string") throw new UsageError(`cannot read "${file}": ${found}`);
  const plan = planParity(mapping);
  if (plan.v2Endpoints.length === 0) throw new UsageError("the mapping has no decided field to compare");
  const rateOf = (name: "V1" | "V2") =>
    integerOption(values, "rate", { fallback: parityRates[name], min: 1, max: 100_000 });
  const rates = { v1: rateOf("V1"), v2: rateOf("V2") };
  const detect = percentOption(values, "detect", defaultDetectPercent);
  const folder = await mkdtemp(join(tmpdir(), "v1watch-cohort-"));
  try {
    const counts = await spreadCohort(file, folder);
    checkCohort(file, counts);
    const { passports } = counts;
    const wanted = values.census
      ? passports
      : integerOption(values, "sample", { fallback: sampleSize(Math.max(1e-4, detect)), min: 1, max: 1e9 });
    const compared = Math.min(wanted, passports);
    const workers = integerOption(values, "workers", { fallback: maxWorkers, min: 1, max: maxWorkers });
    const run = { passports: compared, perPair: plan.requestsPerPair, rates, workers };
    const text = values.json ? textIo(io, "-") : io;
    const log = (line: string) => print(text, line);
    log(`${describeCohort(counts)}\n${describeSample({ passports, compared })}\n`);
    log(describeEstimate(estimateRun(run), config));
    if (values.estimate) {
      const census = estimateRun({ ...run, passports });
      if (compared < passports)
        log(
          `All of them (--census): ${formatCount(census.requests.v1)} requests to V1, ${describeDuration(census.hours * 3_600)}, $${census.usd.toFixed(2)}.\n`,
        );
      return exitCodes.success;
    }
    return await withRemedy("the comparison in AWS cannot be started", remedies, async () => {
      const opened = await open(config);
      const before = await opened.comparison.read();
      if (before && !opened.hasEnded(before))
        throw new UsageError(
          `the comparison ${before.run} is ${before.state}. See it with --status; end it with --cancel.`,
        );
      const { chunkSize, concurrency, shards } = planRun(run);
      const startedAt = new Date().toISOString();
      const name = { run: `${startedAt.slice(0, 19).replaceAll(":", "")}-${randomBytes(2).toString("hex")}` };
      const check = createHash("sha256");
      const hashed = readChunks(folder, compared, chunkSize).map((ids) => {
        check.update(ids.join("\n"));
        return ids;
      });
      const chunks = await opened.putChunks(opened.comparison, name, hashed);
      if (v2Schema !== undefined) await opened.comparison.putV2Schema(name, v2Schema);
      const settings: ComparisonSettings = {
        schema: "v1watch/comparison/1",
        ...name,
        startedAt,
        mapping: fingerprintMapping(mapping),
        cohort: { passports, compared, check: check.digest("hex").slice(0, 4) },
        limits: {
          v1: {
            rate: rates.v1,
            requests: integerOption(values, "requests", { fallback: unlimited, min: 1, max: unlimited }),
          },
          v2: {
            rate: rates.v2,
            requests: integerOption(values, "v2-requests", { fallback: unlimited, min: 1, max: unlimited }),
          },
        },
        chunks,
        chunkSize,
        concurrency,
        shards,
        secondReadDelayMs: apartOption(values),
        hasV2Schema: v2Schema !== undefined,
      };
      if (!(await opened.comparison.create(settings)))
        throw new UsageError("another comparison was started meanwhile. See it with --status.");
      await opened.comparison.setExecution(name, await opened.machine.start(name));
      return follow(input, opened);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function checkCohort(file: string, { foreign, foreignLines, passports }: CohortCounts): void {
  if (foreign > 0) {
    const more =
      foreign > foreignLines.length ? ` and ${formatCount(foreign - foreignLines.length)} more` : "";
    throw new UsageError(
      `"${file}" has lines that are ${notAnId}: ${foreignLines.join(", ")}${more}. Nothing was sent.`,
    );
  }
  if (passports === 0) throw new UsageError(`"${file}" contains no ids`);
}

const { nouns, otherId } = api.sample;

function describeCohort({ lines, ids, otherIds, duplicates, ignored, passports }: CohortCounts): string {
  const mixed =
    ids > 0 && otherIds > 0 && otherId
      ? ` A ${nouns.one} that is given by its id and by its ${otherId.name} is compared twice.`
      : "";
  const others = otherId ? `, ${plural(otherIds, otherId.name)}` : "";
  return `${plural(lines, "line")}: ${plural(ids, "id")}${others}; left out: ${plural(duplicates, "duplicate")}, ${plural(ignored, "blank line, comment or header", "blank lines, comments or headers")}; ${plural(passports, nouns.one, nouns.many)}.${mixed}`;
}

function describeEstimate(estimate: ReturnType<typeof estimateRun>, config: Config): string {
  const { requests, hours, usd, chunks, concurrency } = estimate;
  const month = requestsPerMonth(config);
  const spare = Math.max(0, month.budget - month.total);
  const budget =
    requests.v1 > spare
      ? `The watch leaves ${formatCount(spare)} requests to V1 in a month: it pauses when they are used up, and goes on in the next month. Raise budget.monthlyRequests if V1's key allows more.\n`
      : "";
  return `${plural(requests.v1, "request")} to V1 and ${formatCount(requests.v2)} to V2 in ${plural(chunks, "chunk")}, ${formatCount(concurrency)} at a time: ${describeDuration(hours * 3_600)}, $${usd.toFixed(2)} at AWS's list prices.\n${budget}`;
}

async function stop({ values, io }: Input, opened: Opened, run: ComparisonRun): Promise<number> {
  const { comparison, machine, hasEnded } = opened;
  if (hasEnded(run)) throw new UsageError(`the comparison ${run.run} is ${run.state} already.`);
  const state = values.cancel ? "cancelled" : "paused";
  await comparison.setState(run, state, "by command");
  if (run.executionArn && (await machine.status(run.executionArn)) === "RUNNING")
    await machine.stop(run.executionArn);
  if (state === "cancelled") await comparison.removeChunks(run);
  const next =
    state === "paused" ? " Continue with v1watch parity --resume." : " Its ids are deleted from S3.";
  print(io, `The comparison ${run.run} is ${state}. No request leaves after a few seconds.${next}\n`);
  return exitCodes.success;
}

async function resume(input: Input, opened: Opened, run: ComparisonRun): Promise<number> {
  const { comparison, machine } = opened;
  if (!(await comparison.setState(run, "running")))
    throw new UsageError(`the comparison ${run.run} is ${run.state}. Start another one.`);
  if (run.executionArn && (await machine.status(run.executionArn)) === "RUNNING")
    await machine.stop(run.executionArn);
  await comparison.setExecution(run, await machine.start(run));
  return follow(input, opened);
}
