// v1watch parity --in-aws: cuts a cohort into chunks in S3, starts the state machine of the stack and follows it.
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { count, describeDuration, plural } from "../../assess/alerts/text.ts";
import type { Comparison } from "../../aws/comparison.ts";
import { type Config, mistakesText, readConfig, requestsPerMonth } from "../../config/config.ts";
import { mappingFileName, mappingMistakesText, readMapping } from "../../mapping/mapping.ts";
import { type CohortCounts, fingerprintMapping, readChunks, spreadCohort } from "../../parity/cohort.ts";
import {
  defaultDetectPercent,
  describeSample,
  estimateRun,
  maxWorkers,
  planRun,
  sampleSize,
} from "../../parity/estimate.ts";
import { judgeParity } from "../../parity/judge.ts";
import { planParity } from "../../parity/plan.ts";
import type { Mapping } from "../../records/mapping.ts";
import type { ComparisonRun, ComparisonSettings } from "../../records/parity.ts";
import { exitCodes, type Io, integerOption, type OptionValues, UsageError } from "../command.ts";
import { withRemedy } from "../remedies.ts";
import { apartOption, defaultRates, percentOption, ruleOption, textOption } from "./options.ts";
import { drawProgress, printParity } from "./text.ts";

export const awsOptions = ["in-aws", "estimate", "census", "status", "pause", "cancel"] as const;

const unlimited = 1e12;
const everyMs = 5_000;
const minute = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;

export async function runInAws(values: OptionValues, io: Io): Promise<number> {
  const loaded = await readConfig(io.env, values);
  const mapped = await readMapping(textOption(values, "mapping") ?? mappingFileName);
  if (!loaded.ok) io.err(mistakesText(loaded.mistakes));
  if (!mapped.ok) io.err(mappingMistakesText(mapped.mistakes));
  if (!loaded.ok || !mapped.ok) return exitCodes.usage;
  const input = { values, io, config: loaded.config, mapping: mapped.mapping };
  if (values["v2-schema"] !== undefined || values["v2-base-url"] !== undefined)
    throw new UsageError(
      "--in-aws uses V2 as the deployed mapping says: leave --v2-schema and --v2-base-url out",
    );
  if (values["in-aws"] || values.estimate || values.census) return start(input);
  return withRemedy("the comparison in AWS cannot be used", remedies, async () => {
    const opened = await open(loaded.config);
    const run = await opened.comparison.read();
    if (!run) throw new UsageError("there is no comparison yet. Start one with --cohort FILE --in-aws.");
    if (values.status) return follow(input, opened, !io.isTerminal || values.json === true);
    return values.resume === "" ? resume(input, opened, run) : stop(input, opened, run);
  });
}

type Input = { values: OptionValues; io: Io; config: Config; mapping: Mapping };
type Opened = Awaited<ReturnType<typeof open>>;

const remedies = {
  allow:
    "ssm:GetParameter, dynamodb:GetItem, PutItem and UpdateItem on the table, s3:ListBucket, GetObject, PutObject and DeleteObject below comparisons/, and states:StartExecution, StopExecution and DescribeExecution",
};

/** Finds what the stack created. */
async function open({ aws }: Config) {
  const [{ readParameter }, { openComparison, openStateMachine, putChunks, hasEnded }] = await Promise.all([
    import("../../aws/account.ts"),
    import("../../aws/comparison.ts"),
  ]);
  const text = await readParameter(`/v1watch/${aws.stackName}/comparison`, aws.region);
  if (text === undefined)
    throw new UsageError(
      `the stack ${aws.stackName} has no comparison. Set aws.comparison to true and run \`v1watch deploy\`.`,
    );
  const { table, bucket, stateMachine } = JSON.parse(text) as Record<string, string>;
  const address = { tableName: table ?? "", bucket: bucket ?? "", region: aws.region };
  return {
    ...{ comparison: openComparison(address), machine: openStateMachine(stateMachine ?? "") },
    ...{ putChunks, hasEnded },
  };
}

async function start(input: Input): Promise<number> {
  const { values, io, config, mapping } = input;
  const file = textOption(values, "cohort");
  if (file === undefined) throw new UsageError("--in-aws needs --cohort FILE");
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error.code ?? "unknown");
  if (typeof found === "string") throw new UsageError(`cannot read "${file}": ${found}`);
  const plan = planParity(mapping);
  if (plan.v2Endpoints.length === 0) throw new UsageError("the mapping has no decided field to compare");
  const rateOf = (name: "V1" | "V2") => integerOption(values, "rate", defaultRates[name], 1, 100_000);
  const rates = { v1: rateOf("V1"), v2: rateOf("V2") };
  const detect = percentOption(values, "detect", defaultDetectPercent);
  const folder = await mkdtemp(join(tmpdir(), "v1watch-cohort-"));
  try {
    const counts = await spreadCohort(file, folder);
    checkCohort(file, counts);
    const { passports } = counts;
    const wanted = values.census
      ? passports
      : integerOption(values, "sample", sampleSize(Math.max(1e-4, detect)), 1, 1e9);
    const compared = Math.min(wanted, passports);
    const workers = integerOption(values, "workers", maxWorkers, 1, maxWorkers);
    const run = { passports: compared, perPair: plan.requestsPerPair, rates, workers };
    const log = values.json ? io.err : io.out;
    log(`${describeCohort(counts)}\n${describeSample({ passports, compared })}\n`);
    log(describeEstimate(estimateRun(run), config));
    if (values.estimate) {
      const census = estimateRun({ ...run, passports });
      if (compared < passports)
        log(
          `All of them (--census): ${count(census.requests.v1)} requests to V1, ${describeDuration(census.hours * 3_600)}, $${census.usd.toFixed(2)}.\n`,
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
      const settings: ComparisonSettings = {
        ...{ schema: "v1watch/comparison/1", ...name, startedAt, mapping: fingerprintMapping(mapping) },
        cohort: { passports, compared, check: check.digest("hex").slice(0, 4) },
        limits: {
          v1: { rate: rates.v1, requests: integerOption(values, "requests", unlimited, 1, unlimited) },
          v2: { rate: rates.v2, requests: integerOption(values, "v2-requests", unlimited, 1, unlimited) },
        },
        ...{ chunks, chunkSize, concurrency, shards, secondReadDelayMs: apartOption(values) },
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
    const more = foreign > foreignLines.length ? ` and ${count(foreign - foreignLines.length)} more` : "";
    throw new UsageError(
      `"${file}" has lines that are neither a passport id nor a wallet: ${foreignLines.join(", ")}${more}. Nothing was sent.`,
    );
  }
  if (passports === 0) throw new UsageError(`"${file}" contains no ids`);
}

function describeCohort({ lines, ids, wallets, duplicates, ignored, passports }: CohortCounts): string {
  const mixed =
    ids > 0 && wallets > 0 ? " A passport that is given by its id and by its wallet is compared twice." : "";
  return `${plural(lines, "line")}: ${plural(ids, "id")}, ${plural(wallets, "wallet")}; left out: ${plural(duplicates, "duplicate")}, ${plural(ignored, "blank line, comment or header", "blank lines, comments or headers")}; ${plural(passports, "passport")}.${mixed}`;
}

function describeEstimate(estimate: ReturnType<typeof estimateRun>, config: Config): string {
  const { requests, hours, usd, chunks, concurrency } = estimate;
  const month = requestsPerMonth(config);
  const spare = Math.max(0, month.budget - month.total);
  const budget =
    requests.v1 > spare
      ? `The watch leaves ${count(spare)} requests to V1 in a month: it pauses when they are used up, and goes on in the next month. Raise budget.monthlyRequests if V1's key allows more.\n`
      : "";
  return `${plural(requests.v1, "request")} to V1 and ${count(requests.v2)} to V2 in ${plural(chunks, "chunk")}, ${count(concurrency)} at a time: ${describeDuration(hours * 3_600)}, $${usd.toFixed(2)} at AWS's list prices.\n${budget}`;
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
  io.out(`The comparison ${run.run} is ${state}. No request leaves after a few seconds.${next}\n`);
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

async function countPassports(comparison: Comparison, run: ComparisonRun): Promise<number> {
  const done = await comparison.listResults(run);
  const missingInLast = run.chunks * run.chunkSize - run.cohort.compared;
  const isLastDone = done.has(String(run.chunks - 1).padStart(6, "0"));
  return done.size * run.chunkSize - (isLastDone ? missingInLast : 0);
}

/** Until it ends, is paused, or the command is stopped: the comparison goes on in AWS. `isOnce`: prints what is so now. */
async function follow(input: Input, opened: Opened, isOnce = false): Promise<number> {
  const { values, io, mapping } = input;
  const { comparison, machine, hasEnded } = opened;
  let bar: ReturnType<typeof drawProgress> | undefined;
  while (true) {
    const run = await comparison.read();
    if (!run) throw new UsageError("there is no comparison.");
    const compared = await countPassports(comparison, run);
    bar ??= drawProgress(io, run.cohort.compared);
    bar.step(compared);
    const isOver = hasEnded(run) || run.state === "paused" || io.signal.aborted;
    const execution = isOver || !run.executionArn ? "RUNNING" : await machine.status(run.executionArn);
    // The run is read again, because it may have ended before its state machine did.
    if (execution !== "RUNNING" && (await comparison.read())?.state === "running") {
      bar.end();
      io.err(
        `v1watch: the state machine of the comparison stopped (${execution}). Continue with v1watch parity --resume.\n`,
      );
      return exitCodes.internalError;
    }
    if (!isOver && !isOnce) {
      await sleep(everyMs, undefined, { signal: io.signal }).catch(() => {});
      continue;
    }
    bar.end();
    const result = run.state === "finished" ? await comparison.readLatest() : undefined;
    if (!result) return printStatus(input, run, compared);
    if (!values.json) io.out(`${describeSample(run.cohort)}\n`);
    const rule = ruleOption(values);
    return printParity(io, values.json === true, {
      ...{ verdict: judgeParity(result.aggregate, rule), aggregate: result.aggregate, mapping, rule },
      ...{ ending: { kind: "finished" }, lookups: 0, monthEndMs: undefined },
      ...{ at: result.at, fingerprint: result.mapping },
    });
  }
}

function printStatus({ values, io }: Input, run: ComparisonRun, compared: number): number {
  const { executionArn: _, ...rest } = run;
  io.out(
    values.json
      ? `${JSON.stringify({ ...rest, done: compared }, null, 2)}\n`
      : `${describeStatus(run, compared).join("\n")}\n`,
  );
  return exitCodes.success;
}

function describeStatus(run: ComparisonRun, compared: number): string[] {
  const { state, spent, cohort, why, resumeAtMs = 0, startedAt } = run;
  const waits = state === "running" && resumeAtMs > Date.now();
  return [
    `Comparison ${run.run}: ${state}, started ${minute(Date.parse(startedAt))}.`,
    `${count(compared)} of ${count(cohort.compared)} passports compared; ${count(spent.v1)} requests to V1 and ${count(spent.v2)} to V2, those under way included.`,
    ...(waits ? [`Waits until ${minute(resumeAtMs)}: ${why}.`] : []),
    ...(state === "paused" ? [`Paused: ${why}. Continue with v1watch parity --resume.`] : []),
    describeSample(cohort),
  ];
}

/** For the page of `up`; undefined where there is no comparison. */
export async function readComparisonStatus(config: Config): Promise<string | undefined> {
  const { comparison } = await open(config);
  const run = await comparison.read();
  return run && describeStatus(run, await countPassports(comparison, run)).join(" ");
}
