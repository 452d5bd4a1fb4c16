// Decides how a comparison in AWS goes on: which chunks are left, whether to wait, or, when every chunk has its result,
// folds the results, stores the comparison and notifies.
import { asciiLine, boundSections } from "../lib/assess/alerts/render-alert.ts";
import { chunkName, openComparison } from "../lib/aws/comparison.ts";
import { read, readBundledFile, readTable } from "../lib/aws/environment.ts";
import { createOutbox } from "../lib/aws/outbox.ts";
import { forEach } from "../lib/aws/table.ts";
import { fingerprintMapping } from "../lib/parity/cohort.ts";
import { describeSample } from "../lib/parity/estimate.ts";
import { judgeParity, kindLabels } from "../lib/parity/judge.ts";
import { describeAgreement, findShallow } from "../lib/readiness/facts.ts";
import type { Alert } from "../lib/records/alert.ts";
import type { Mapping } from "../lib/records/mapping.ts";
import { type ComparisonRun, emptyParity, mergeParity, type ParityAggregate } from "../lib/records/parity.ts";
import { capitalise, formatCount } from "../lib/text.ts";

const { env } = process;
const mapping = readBundledFile("mapping.json") as Mapping;
const table = readTable(env);
const comparison = openComparison({ ...table, bucket: read(env, "BUCKET") });
const outbox = createOutbox(table);

/** Rounds in which no chunk got a result: its functions fail, and the dead-letter queue says of which. */
const maxStalledRounds = 3;

/** What the state machine does next; it passes `run` on. */
type Step = { run: string } & (
  | { next: "compare"; index: string; concurrency: number }
  | { next: "wait"; until: string }
  | { next: "end"; state: string }
);

export async function handler({ run: name }: { run: string }): Promise<Step> {
  const step = await decide(name);
  console.log({ event: "planned", ...step });
  return step;
}

async function decide(name: string): Promise<Step> {
  const run = await comparison.read();
  if (run?.run !== name || run.state !== "running")
    return { run: name, next: "end", state: run?.state ?? "absent" };
  if (run.compared.mapping !== fingerprintMapping(mapping))
    return pause(run, "the mapping that is deployed has other decisions; deploy it, then resume");
  const done = await comparison.listResults(run);
  const chunks = Array.from({ length: run.chunks }, (_, number) => chunkName(number));
  const remaining = chunks.filter((chunk) => !done.has(chunk));
  if (remaining.length === 0) return finish(run, chunks);
  if (run.resumeAtMs !== undefined && run.resumeAtMs > Date.now()) {
    // A round that was paused is not one in which the functions fail.
    await comparison.setRound(run, 0, 0);
    return { run: name, next: "wait", until: new Date(run.resumeAtMs).toISOString() };
  }
  const stalledRounds = run.remaining === remaining.length ? run.stalledRounds + 1 : 0;
  if (stalledRounds === maxStalledRounds)
    return pause(run, `${remaining.length} chunks got no result in ${maxStalledRounds} rounds`);
  await comparison.setRound(run, remaining.length, stalledRounds);
  return {
    run: name,
    next: "compare",
    concurrency: run.concurrency,
    index: await comparison.putIndex(run, remaining),
  };
}

/** Until somebody has repaired what is wrong: `v1watch parity --resume`. */
async function pause(run: ComparisonRun, why: string): Promise<Step> {
  await notify(digestComparison({ ...run, why }, new Date().toISOString()));
  await comparison.setState(run, "paused", why);
  return { run: run.run, next: "end", state: "paused" };
}

async function finish(run: ComparisonRun, chunks: readonly string[]): Promise<Step> {
  let aggregate = emptyParity();
  await forEach(chunks, async (chunk) => {
    const result = await comparison.readResult(run, chunk);
    if (!result) throw new Error(`the result of chunk ${chunk} cannot be read`);
    aggregate = mergeParity(aggregate, result);
  });
  const at = new Date().toISOString();
  const { compared, check } = run.cohort;
  await comparison.putLatest({
    schema: "v1watch/parity-state/2",
    startedAt: run.startedAt,
    at,
    compared: run.compared,
    cohort: { ids: compared, check },
    done: [[0, compared]],
    aggregate,
  });
  // Before the end is stored: a run that dies here is notified again, under the same id.
  await notify(digestComparison(run, at, aggregate));
  await comparison.removeChunks(run);
  await comparison.setState(run, "finished");
  return { run: run.run, next: "end", state: "finished" };
}

async function notify(alert: Alert): Promise<void> {
  const kept = await outbox.put([{ id: alert.id, kind: "alert", alert }]);
  if (kept.kind === "failed") throw new Error(`the notification could not be stored: ${kept.why}`);
}

const maxShown = 20;

/** `aggregate` is absent where the comparison was paused and needs somebody. */
function digestComparison(
  { run, cohort, why }: Pick<ComparisonRun, "run" | "cohort" | "why">,
  at: string,
  aggregate?: ParityAggregate,
): Alert {
  const verdict = aggregate && judgeParity(aggregate);
  const lines = {
    parity: "V2 agrees with V1",
    differences: `V2 differs from V1 in ${new Set(verdict?.differences.map(({ path }) => path)).size} fields`,
    insufficient: "too few passports for a verdict",
  };
  const shallow = aggregate ? findShallow(Object.keys(aggregate.fields), mapping, aggregate) : [];
  const agreement =
    verdict?.verdict === "parity"
      ? [`${capitalise(describeAgreement(verdict.fields - shallow.length, verdict.pairs, shallow))}.`]
      : [];
  const line = `Comparison of V1 and V2: ${verdict ? lines[verdict.verdict] : "paused"}`;
  const differences = (verdict?.differences ?? []).map(
    ({ path, kind, raw, compared }) =>
      `${path}: ${kindLabels[kind]} in ${formatCount(raw)} of ${formatCount(compared)}`,
  );
  const skipped = Object.entries(aggregate?.skipped ?? {}).map(
    ([reason, count]) => `${formatCount(count)} ${reason}`,
  );
  return {
    schema: "v1watch/alert/3",
    id: `comparison-${run}${verdict ? "" : "-paused"}/1-digest`,
    at,
    event: "digest",
    severity: verdict ? "info" : "warning",
    rule: "digest",
    scope: "api",
    endpoints: [],
    subject: asciiLine(`[v1watch] ${line}`, 100),
    sections: boundSections([
      {
        label: "",
        lines: [
          line,
          ...(why && !verdict ? [`Reason: ${why}.`] : []),
          ...agreement,
          describeSample(cohort),
          ...(verdict
            ? [`${formatCount(verdict.pairs)} passports compared, ${skipped.join(", ") || "none"} skipped.`]
            : []),
        ],
      },
      {
        label: "Differences",
        lines: [
          ...differences.slice(0, maxShown),
          ...(differences.length > maxShown ? [`and ${differences.length - maxShown} more`] : []),
          verdict ? "The result: v1watch parity --status" : "Continue with v1watch parity --resume.",
        ],
      },
    ]),
    facts: null,
    links: {},
  };
}
