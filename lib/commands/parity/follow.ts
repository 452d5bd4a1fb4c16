// Follows a comparison in AWS: finds what the stack created, shows how far the run is, and prints its result.

import { setTimeout as sleep } from "node:timers/promises";
import type { Comparison } from "../../aws/comparison.ts";
import type { Config } from "../../config/config.ts";
import { describeSample } from "../../parity/estimate.ts";
import { judgeParity } from "../../parity/judge.ts";
import type { Mapping } from "../../records/mapping.ts";
import type { ComparisonRun } from "../../records/parity.ts";
import { formatCount } from "../../text.ts";
import { momentOf, momentText } from "../../time.ts";
import { exitCodes, type Io, UsageError } from "../command.ts";
import { print, printJson } from "../layout.ts";
import type { ParityValues } from "./options.ts";
import { drawProgress, printParity } from "./text.ts";

const everyMs = 5_000;

export type Input = {
  values: ParityValues;
  io: Io;
  config: Config;
  mapping: Mapping;
  /** As JSON; absent where V2's responses are not validated. */
  v2Schema: string | undefined;
};
export type Opened = Awaited<ReturnType<typeof open>>;

export const remedies = {
  allow:
    "ssm:GetParameter, dynamodb:GetItem, PutItem and UpdateItem on the table, s3:ListBucket, GetObject, PutObject and DeleteObject below comparisons/, and states:StartExecution, StopExecution and DescribeExecution",
};

/** Finds what the stack created. */
export async function open({ aws }: Config) {
  const [{ readParameter }, { openComparison, openStateMachine, putChunks, hasEnded }] = await Promise.all([
    import("../../aws/account.ts"),
    import("../../aws/comparison.ts"),
  ]);
  const text = await readParameter(`/v1watch/${aws.stackName}/comparison`, aws.region);
  if (text === undefined)
    throw new UsageError(
      `the stack ${aws.stackName} has no comparison. Set aws.comparison to true and run \`v1watch aws deploy\`.`,
    );
  const { table, bucket, stateMachine } = JSON.parse(text) as Record<string, string>;
  const address = { tableName: table ?? "", bucket: bucket ?? "", region: aws.region };
  return {
    comparison: openComparison(address),
    machine: openStateMachine(stateMachine ?? ""),
    putChunks,
    hasEnded,
  };
}

async function countPassports(comparison: Comparison, run: ComparisonRun): Promise<number> {
  const done = await comparison.listResults(run);
  const missingInLast = run.chunks * run.chunkSize - run.cohort.compared;
  const isLastDone = done.has(String(run.chunks - 1).padStart(6, "0"));
  return done.size * run.chunkSize - (isLastDone ? missingInLast : 0);
}

/** The run, how far it is and whether its state machine runs. Undefined where there is no run. */
async function readProgress({ comparison, machine, hasEnded }: Opened) {
  const run = await comparison.read();
  if (!run) return undefined;
  const compared = await countPassports(comparison, run);
  const isOver = hasEnded(run) || run.state === "paused";
  const execution = isOver || !run.executionArn ? "RUNNING" : await machine.status(run.executionArn);
  // The run is read again, because it may have ended before its state machine did.
  const hasStopped = execution !== "RUNNING" && (await comparison.read())?.state === "running";
  return { run, compared, isOver, stopped: hasStopped ? execution : undefined };
}

/** A comparison takes hours: AWS may fail to answer this many times, one after another, before following it ends. */
const maxFailures = 24;

/** Until it ends, is paused, or the command is stopped: the comparison goes on in AWS. `isOnce`: prints what is so now. */
export async function follow(input: Input, opened: Opened, isOnce = false): Promise<number> {
  const { values, io, mapping } = input;
  const { comparison } = opened;
  let bar: ReturnType<typeof drawProgress> | undefined;
  let failures = 0;
  while (true) {
    const progress = await readProgress(opened).catch((error: Error) => {
      if (!bar || io.signal.aborted || ++failures > maxFailures) throw error;
      return "unknown" as const;
    });
    if (progress === undefined) throw new UsageError("there is no comparison.");
    if (progress === "unknown") {
      await sleep(everyMs, undefined, { signal: io.signal }).catch(() => {});
      continue;
    }
    failures = 0;
    const { run, compared, stopped } = progress;
    bar ??= drawProgress(io, run.cohort.compared);
    bar.step(compared);
    if (stopped !== undefined) {
      bar.end();
      io.err(
        `v1watch: the state machine of the comparison stopped (${stopped}). Continue with v1watch parity --resume.\n`,
      );
      return exitCodes.internalError;
    }
    if (!progress.isOver && !isOnce && !io.signal.aborted) {
      await sleep(everyMs, undefined, { signal: io.signal }).catch(() => {});
      continue;
    }
    bar.end();
    const result = run.state === "finished" ? await comparison.readLatest() : undefined;
    if (!result) return printStatus(input, run, compared);
    if (!values.json) print(io, `${describeSample(run.cohort)}\n`);
    return printParity(io, values.json, {
      verdict: judgeParity(result.aggregate),
      aggregate: result.aggregate,
      mapping,
      ending: { kind: "finished" },
      lookups: 0,
      monthEndMs: undefined,
      startedAt: result.startedAt,
      at: result.at,
      compared: result.compared,
      cohort: result.cohort,
    });
  }
}

function printStatus({ values, io }: Input, run: ComparisonRun, compared: number): number {
  const { executionArn: _, ...rest } = run;
  if (values.json) printJson(io, { ...rest, done: compared });
  else print(io, `${describeStatus(run, compared).join("\n")}\n`);
  return exitCodes.success;
}

function describeStatus(run: ComparisonRun, compared: number): string[] {
  const { state, spent, cohort, why, resumeAtMs = 0, startedAt } = run;
  const waits = state === "running" && resumeAtMs > Date.now();
  return [
    `Comparison ${run.run}: ${state}, started ${momentText(startedAt)}.`,
    `${formatCount(compared)} of ${formatCount(cohort.compared)} passports compared; ${formatCount(spent.v1)} requests to V1 and ${formatCount(spent.v2)} to V2, those under way included.`,
    ...(waits ? [`Waits until ${momentOf(resumeAtMs)}: ${why}.`] : []),
    ...(state === "paused" ? [`Paused: ${why}. Continue with v1watch parity --resume.`] : []),
    describeSample(cohort),
  ];
}

/** For the dashboard of `up`; undefined where there is no comparison. */
export async function readComparisonStatus(config: Config): Promise<string | undefined> {
  const { comparison } = await open(config);
  const run = await comparison.read();
  return run && describeStatus(run, await countPassports(comparison, run)).join(" ");
}
