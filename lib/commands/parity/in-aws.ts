// v1watch parity --in-aws: cuts a cohort into chunks in S3, starts the state machine of the stack and follows it.

import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, requestsPerMonth } from "../../config/config.ts";
import { api } from "../../contract/endpoints.ts";
import { describeVersions } from "../../parity/cohort.ts";
import { describeSample, estimateRun, planRun, type RunInput, sampleSize } from "../../parity/estimate.ts";
import { type CohortCounts, readChunks, spreadCohort } from "../../parity/large-cohort.ts";
import { planParity } from "../../parity/plan.ts";
import type { ComparisonRun, ComparisonSettings } from "../../records/parity.ts";
import { formatCount, plural } from "../../text.ts";
import { describeDuration } from "../../time.ts";
import { exitCodes, type Io, UsageError } from "../command.ts";
import { print } from "../layout.ts";
import { textIo } from "../output-file.ts";
import { withRemedy } from "../remedies.ts";
import { follow, type Input, type Opened, open, remedies } from "./follow.ts";
import { notAnId, type ParityValues, readInputs, unlimited, usualRates } from "./options.ts";

export const awsOptions = ["in-aws", "estimate", "census", "status", "pause", "cancel"] as const;

/** Every worker reads it. */
const maxSchemaLength = 2_000_000;

export async function runInAws(values: ParityValues, io: Io): Promise<number> {
  const { config, mapping, shape } = await readInputs(values, io);
  const v2Schema = shape && JSON.stringify(shape.document);
  if (values["v2-base-url"] !== undefined)
    throw new UsageError(
      "--in-aws uses the address of V2 in the deployed mapping. Leave --v2-base-url out, or change the mapping and deploy it.",
    );
  if (v2Schema !== undefined && v2Schema.length > maxSchemaLength)
    throw new UsageError(
      `V2's schema has ${formatCount(v2Schema.length)} characters, and a comparison in AWS takes ${formatCount(maxSchemaLength)}. Reduce it to the endpoints of the mapping.`,
    );
  const input = { values, io, config, mapping, v2Schema };
  if (values["in-aws"] || values.estimate || values.census) return prepare(input);
  return withRemedy("the comparison in AWS cannot be used", remedies, async () => {
    const opened = await open(config);
    const run = await opened.comparison.read();
    if (!run) throw new UsageError("there is no comparison yet. Start one with --cohort FILE --in-aws.");
    if (values.status) return follow(input, opened, !io.isTerminal || values.json);
    return values.resume === true ? resume(input, opened, run) : stop(input, opened, run);
  });
}

/** Counts the cohort and says what the run takes; starts it unless only the estimate is wanted. */
async function prepare(input: Input): Promise<number> {
  const { values, io, config, mapping } = input;
  const { cohort: file, rate } = values;
  if (file === undefined) throw new UsageError("--in-aws needs --cohort FILE");
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error.code ?? "unknown");
  if (typeof found === "string") throw new UsageError(`cannot read "${file}": ${found}`);
  const plan = planParity(mapping);
  if (plan.v2Endpoints.length === 0) throw new UsageError("the mapping has no decided field to compare");
  const folder = await mkdtemp(join(tmpdir(), "v1watch-cohort-"));
  try {
    const counts = await spreadCohort(file, folder);
    checkCohort(file, counts);
    const { passports } = counts;
    const sample = values.sample ?? sampleSize(Math.max(1e-4, values.detect));
    const run: RunInput = {
      passports: values.census ? passports : Math.min(sample, passports),
      perPair: plan.requestsPerPair,
      rates: { v1: rate ?? usualRates.V1, v2: rate ?? usualRates.V2 },
      workers: values.workers,
    };
    const log = (line: string) => print(values.json ? textIo(io, "-") : io, line);
    log(`${describeCohort(counts)}\n${describeSample({ passports, compared: run.passports })}\n`);
    log(describeEstimate(estimateRun(run), config));
    if (!values.estimate)
      return await withRemedy("the comparison in AWS cannot be started", remedies, () =>
        start(input, { folder, passports, run }),
      );
    const census = estimateRun({ ...run, passports });
    if (run.passports < passports)
      log(
        `All of them (--census): ${formatCount(census.requests.v1)} requests to V1, ${describeDuration(census.hours * 3_600)}, $${census.usd.toFixed(2)}.\n`,
      );
    return exitCodes.success;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `folder` has the cohort of so many passports, of which the run compares the first ones. */
type Prepared = { folder: string; passports: number; run: RunInput };

async function start(input: Input, { folder, passports, run }: Prepared): Promise<number> {
  const { values, config, mapping, v2Schema } = input;
  const opened = await open(config);
  const { comparison, machine } = opened;
  const before = await comparison.read();
  if (before && !opened.hasEnded(before))
    throw new UsageError(
      `the comparison ${before.run} is ${before.state}. See it with --status; end it with --cancel.`,
    );
  const { chunkSize, concurrency, shards } = planRun(run);
  const startedAt = new Date().toISOString();
  const name = { run: `${startedAt.slice(0, 19).replaceAll(":", "")}-${randomBytes(2).toString("hex")}` };
  const check = createHash("sha256");
  const hashed = readChunks(folder, run.passports, chunkSize).map((ids) => {
    check.update(ids.join("\n"));
    return ids;
  });
  const chunks = await opened.putChunks(comparison, name, hashed);
  if (v2Schema !== undefined) await comparison.putV2Schema(name, v2Schema);
  const settings: ComparisonSettings = {
    schema: "v1watch/comparison/1",
    run: name.run,
    startedAt,
    compared: describeVersions(config.baseUrl, mapping.v2.baseUrl, mapping),
    cohort: { passports, compared: run.passports, check: check.digest("hex").slice(0, 4) },
    limits: {
      v1: { rate: run.rates.v1, requests: values.requests ?? unlimited },
      v2: { rate: run.rates.v2, requests: values["v2-requests"] },
    },
    chunks,
    chunkSize,
    concurrency,
    shards,
    secondReadDelayMs: values.apart,
    hasV2Schema: v2Schema !== undefined,
  };
  if (!(await comparison.create(settings)))
    throw new UsageError("another comparison was started meanwhile. See it with --status.");
  await comparison.setExecution(name, await machine.start(name));
  return follow(input, opened);
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
