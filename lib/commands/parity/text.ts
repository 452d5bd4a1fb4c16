// Renders the result of a parity run as text: the verdict, then the differences.

import { printable } from "../../config/config.ts";
import { api } from "../../contract/endpoints.ts";
import { type Difference, diffyRule, kindLabels, type ParityVerdict } from "../../parity/judge.ts";
import type { Ending } from "../../parity/parity.ts";
import type { LimitedBy } from "../../parity/request-budget.ts";
import { describeSample, upperBound } from "../../parity/sample.ts";
import { describeAgreement, describeShallow, findShallow } from "../../readiness/facts.ts";
import type { Mapping } from "../../records/mapping.ts";
import type { ParityAggregate, ParityState } from "../../records/parity.ts";
import { formatCount, percent, plural } from "../../text.ts";
import { exitCodes, type Io } from "../command.ts";
import { bar, createProgress, print, printJson } from "../layout.ts";
import { formatDay } from "../watch-budget.ts";

export type ParityTextInput = {
  verdict: ParityVerdict;
  aggregate: ParityAggregate;
  mapping: Mapping;
  ending: Ending;
  /** The requests to V1 that only looked up ids. */
  lookups: number;
  /** When the monthly budget of the watch is reset. */
  monthEndMs: number | undefined;
  /** The passports of the cohort's file, where a sample of them was compared. */
  sampledFrom: number | undefined;
};

/** Of a random sample, with how many of all it may be. */
function renderDifferences(differences: readonly Difference[], passports: number | undefined): string[] {
  return differences.map(({ path, kind, raw, compared, rawRate, noiseRate }) => {
    const most =
      passports === undefined || kind === "rank"
        ? ""
        : `\tat most ${formatCount(upperBound({ found: raw, compared, passports }))} of ${formatCount(passports)}`;
    return `  ${path}\t${kindLabels[kind]}\t${percent(rawRate)}\tV1 variance ${percent(noiseRate)}\t${formatCount(raw)} of ${formatCount(compared)}${most}`;
  });
}

/** Every difference that was seen and is not one of the verdict, with what is known of it. */
function renderOthers({ verdict: { unsure, gone, varying }, sampledFrom }: ParityTextInput): string[] {
  const blocks = [
    [
      "Too rare to rule out chance, and not read again at least an hour later (a later run with the same --resume FILE does so):",
      unsure,
    ],
    ["Seen once, and equal when the same passports were read again at least an hour later:", gone],
    ["Seen about as often as V1 differs from itself:", varying],
  ] as const;
  return blocks.flatMap(([head, differences]) =>
    differences.length === 0 ? [] : ["", head, ...renderDifferences(differences, sampledFrom)],
  );
}

function renderParity(input: ParityTextInput): string {
  const { verdict, aggregate, ending, lookups, sampledFrom } = input;
  const differences = renderDifferences(verdict.differences, sampledFrom);
  const shape = verdict.shape.map(
    ({ breach, answers }) => `  ${printable(breach)}\tviolates V2's schema in ${plural(answers, "response")}`,
  );
  const skipped = Object.entries(aggregate.skipped).map(
    ([reason, count]) => `${formatCount(count)} ${reason}`,
  );
  const lookupText = lookups > 0 ? ` (${formatCount(lookups)} to look up ids)` : "";
  return [
    summarize(input),
    ...(ending.kind === "finished" ? [] : [explainEnding(ending, input)]),
    ...(differences.length > 0 ? ["", ...differences] : []),
    ...renderOthers(input),
    ...(shape.length > 0 ? ["", ...shape] : []),
    ...(verdict.insufficient.length > 0 && verdict.pairs > 0 ? ["", ...renderInsufficient(verdict)] : []),
    "",
    `${plural(verdict.pairs, "pair")} · ${formatCount(aggregate.requests.v1)} requests to V1${lookupText}, ${formatCount(aggregate.requests.v2)} to V2${skipped.length > 0 ? ` · skipped: ${skipped.join(", ")}` : ""}`,
    ...(sampledFrom === undefined
      ? []
      : [describeSample({ passports: sampledFrom, compared: verdict.pairs })]),
    "",
  ].join("\n");
}

function summarize({ verdict: judged, aggregate, mapping }: ParityTextInput): string {
  const shallow = findShallow(Object.keys(aggregate.fields), mapping, aggregate);
  const { verdict, pairs, fields, differences, shape, insufficient, unsure } = judged;
  if (verdict === "differences") {
    const paths = new Set(differences.map(({ path }) => path)).size;
    const breaches =
      shape.length > 0 ? ` V2 violates its own schema in ${plural(shape.length, "place")}.` : "";
    return `DIFFERENCES: ${paths} of ${plural(fields, "field")} differ by more than V1's own variance${describeShallow(shallow)}.${breaches}`;
  }
  if (verdict === "parity") {
    return `PARITY: ${describeAgreement(judged, shallow, fields - shallow.length)}.`;
  }
  if (pairs < diffyRule.minPairs) {
    return `INSUFFICIENT EVIDENCE: ${plural(pairs, "pair")} compared, ${diffyRule.minPairs} are needed.`;
  }
  if (unsure.length > 0) {
    const paths = new Set(unsure.map(({ path }) => path)).size;
    return `INSUFFICIENT EVIDENCE: ${plural(paths, "field differs", "fields differ")} so rarely that it could be chance, and ${paths === 1 ? "was" : "were"} not read again.`;
  }
  return `INSUFFICIENT EVIDENCE: no differences, but ${plural(insufficient.length, "field")} occurred in fewer than ${diffyRule.minPairs} pairs.`;
}

const budgetEndings: Record<LimitedBy, (newMonth: string) => string> = {
  requests: () =>
    "Deferred: the maximum of requests to V1 is used up. Continue with the same --resume FILE, or raise --requests.",
  watch: (nextMonth) =>
    `Deferred: the remaining requests to V1 of this month are reserved for the watch. Continue from ${nextMonth} with the same --resume FILE, or raise budget.monthlyRequests if V1's key allows more.`,
  store: () =>
    "Deferred: requests cannot be counted because the store of the watch does not accept writes. Continue with the same --resume FILE after it is repaired.",
};

function explainEnding(
  ending: Exclude<Ending, { kind: "finished" }>,
  { monthEndMs }: Pick<ParityTextInput, "monthEndMs">,
): string {
  if (ending.kind === "budget")
    return budgetEndings[ending.limitedBy](monthEndMs === undefined ? "next month" : formatDay(monthEndMs));
  if (ending.kind === "stopped") return "Stopped by a signal before the end.";
  const [side = "", why = ""] = ending.why.split(" ");
  const failure = /^\d+$/.test(why)
    ? `returned ${why}`
    : why === "absent"
      ? "returned 404"
      : `returned no usable response (${why})`;
  return `Stopped: ${side.toUpperCase()} ${failure} for every ${api.sample.nouns.one} of a batch.`;
}

function renderInsufficient({ insufficient }: ParityVerdict): string[] {
  const shown = insufficient
    .slice(0, 12)
    .map(
      ({ path, compared, differing }) =>
        `  ${path}\tin ${plural(compared, "pair")}${differing > 0 ? `, of which ${formatCount(differing)} differ` : ""}`,
    );
  const more = insufficient.length > 12 ? [`  and ${insufficient.length - 12} more`] : [];
  return [`Insufficient evidence (fewer than ${diffyRule.minPairs} pairs):`, ...shown, ...more];
}

/** What was compared, and when. */
type ParityOrigin = Pick<ParityState, "startedAt" | "at" | "compared" | "cohort">;

/** Prints the result, as text or as JSON, and returns the exit code of its verdict. */
export function printParity(
  io: Io,
  isJson: boolean,
  { startedAt, at, compared, cohort, ...input }: ParityTextInput & ParityOrigin,
): number {
  const { verdict, aggregate, ending } = input;
  if (isJson) {
    const schema = "v1watch/parity-report/2";
    printJson(io, {
      schema,
      startedAt,
      at,
      compared,
      cohort,
      ...verdict,
      ending,
      rule: diffyRule,
      aggregate,
    });
  } else print(io, `\n${renderParity(input)}`);
  const codes = {
    parity: exitCodes.success,
    differences: exitCodes.findings,
    insufficient: exitCodes.usage,
  };
  return codes[verdict.verdict];
}

/** How many passports are done, and for how long the others take. */
export function drawProgress(io: Io, total: number) {
  const startedAt = performance.now();
  const progress = createProgress(io);
  let first: number | undefined;
  return {
    step(done: number) {
      first ??= done;
      const speed = (done - first) / ((performance.now() - startedAt) / 1_000);
      const left = speed > 0 ? ` · ${plural(Math.ceil((total - done) / speed / 60), "minute")} left` : "";
      const share = bar(done / Math.max(1, total));
      progress.draw(`${share} ${formatCount(done)} of ${formatCount(total)} passports${left}`);
    },
    end: progress.clear,
  };
}
