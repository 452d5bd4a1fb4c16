// A comparison of V1 with V2, as people read it: the verdict, then where they differ.
import { printable } from "../../config/config.ts";
import type { Difference, ParityRule, ParityVerdict } from "../../parity/judge.ts";
import type { LimitedBy } from "../../parity/limits.ts";
import type { Ending } from "../../parity/parity.ts";
import { describeShallow, findShallow, percent } from "../../readiness/facts.ts";
import type { Mapping } from "../../records/mapping.ts";
import type { ParityAggregate } from "../../records/parity.ts";
import type { Io } from "../command.ts";
import { dayName } from "./budget.ts";

const digits = (number: number) => number.toLocaleString("en");
const plural = (count: number, one: string, several = `${one}s`) =>
  `${digits(count)} ${count === 1 ? one : several}`;

const meaning: Record<Difference["kind"], string> = {
  missing: "not in V2",
  type: "another type",
  value: "another value",
  size: "another length",
  order: "another order",
};

export type Shown = {
  verdict: ParityVerdict;
  aggregate: ParityAggregate;
  mapping: Mapping;
  ending: Ending;
  rule: ParityRule;
  /** Of V1's requests: those that only found ids. */
  lookups: number;
  /** When the watch's budget begins anew. */
  monthEndMs: number | undefined;
};

function renderDifferences(differences: readonly Difference[]): string[] {
  const width = Math.max(0, ...differences.map(({ path }) => path.length));
  return differences.map(
    ({ path, kind, raw, compared, rawRate, noiseRate }) =>
      `  ${path.padEnd(width)}  ${meaning[kind].padEnd(14)}  ${percent(rawRate).padStart(7)}  noise ${percent(noiseRate).padStart(7)}  ${digits(raw)} of ${digits(compared)}`,
  );
}

export function renderParity(shown: Shown): string {
  const { verdict, aggregate, ending, rule, lookups } = shown;
  const differences = renderDifferences(verdict.differences);
  const unsure = renderDifferences(verdict.unsure);
  const shape = verdict.shape.map(
    ({ breach, answers }) => `  ${printable(breach)}  breaks V2's own shape in ${plural(answers, "answer")}`,
  );
  const skipped = Object.entries(aggregate.skipped).map(([why, count]) => `${digits(count)} ${why}`);
  const found = lookups > 0 ? ` (${digits(lookups)} to find ids)` : "";
  return [
    summarize(shown),
    ...(ending.kind === "finished" ? [] : [explainEnding(ending, shown)]),
    ...(differences.length > 0 ? ["", ...differences] : []),
    ...(unsure.length > 0
      ? ["", `In fewer than ${rule.minDifferences} pairs, so it could be chance; more pairs tell:`, ...unsure]
      : []),
    ...(shape.length > 0 ? ["", ...shape] : []),
    ...(verdict.insufficient.length > 0 && verdict.pairs > 0
      ? ["", ...renderInsufficient(verdict, rule)]
      : []),
    "",
    `${plural(verdict.pairs, "pair")} · ${digits(aggregate.requests.v1)} requests to V1${found}, ${digits(aggregate.requests.v2)} to V2${skipped.length > 0 ? ` · skipped: ${skipped.join(", ")}` : ""}`,
    "",
  ].join("\n");
}

function summarize({ verdict: judged, rule, aggregate, mapping }: Shown): string {
  const { verdict, pairs, fields, differences, shape, insufficient, unsure } = judged;
  if (verdict === "differences") {
    const paths = new Set(differences.map(({ path }) => path)).size;
    const breaches = shape.length > 0 ? ` V2 breaks its own shape in ${plural(shape.length, "place")}.` : "";
    return `DIFFERENCES: ${paths} of ${plural(fields, "field")} differ beyond V1's own noise.${breaches}`;
  }
  if (verdict === "parity") {
    const shallow = describeShallow(findShallow(Object.keys(aggregate.fields), mapping));
    return `PARITY: ${plural(fields, "field agrees", "fields agree")} in ${plural(pairs, "pair")}, excluding V1's own variance${shallow}.`;
  }
  if (pairs < rule.minPairs) {
    return `INSUFFICIENT EVIDENCE: ${plural(pairs, "pair")} compared, ${rule.minPairs} are needed.`;
  }
  if (unsure.length > 0) {
    const paths = new Set(unsure.map(({ path }) => path)).size;
    return `INSUFFICIENT EVIDENCE: ${plural(paths, "field differs", "fields differ")} so seldom that it could be noise; more pairs are needed.`;
  }
  return `INSUFFICIENT EVIDENCE: no difference, but ${plural(insufficient.length, "field")} met in fewer than ${rule.minPairs} pairs.`;
}

const budgetEndings: Record<LimitedBy, (newMonth: string) => string> = {
  requests: () =>
    "Held: the requests to V1 that were allowed are used up. Go on with the same --resume FILE, or raise --requests.",
  watch: (newMonth) =>
    `Held: the watch needs what is left of this month's requests to V1. Go on from ${newMonth} with the same --resume FILE, or raise budget.monthlyRequests if V1's key allows more.`,
  store: () =>
    "Held: the watch's books take no entry, and nothing is asked without one. Go on with the same --resume FILE when its store works again.",
};

function explainEnding(
  ending: Exclude<Ending, { kind: "finished" }>,
  { monthEndMs }: Pick<Shown, "monthEndMs">,
): string {
  if (ending.kind === "budget")
    return budgetEndings[ending.limitedBy](monthEndMs === undefined ? "the new month" : dayName(monthEndMs));
  if (ending.kind === "stopped") return "Stopped before the end.";
  const [side = "", why = ""] = ending.why.split(" ");
  const what = /^\d+$/.test(why)
    ? `answers ${why}`
    : why === "absent"
      ? "answers 404"
      : `gives no usable answer (${why})`;
  return `Held: ${side.toUpperCase()} ${what}, for every passport of a batch.`;
}

function renderInsufficient({ insufficient }: ParityVerdict, rule: ParityRule): string[] {
  const shown = insufficient
    .slice(0, 12)
    .map(({ path, compared }) => `  ${path}  in ${plural(compared, "pair")}`);
  const more = insufficient.length > 12 ? [`  and ${insufficient.length - 12} more`] : [];
  return [`Too little evidence (fewer than ${rule.minPairs} pairs):`, ...shown, ...more];
}

/** A bar on standard error, only where a person watches. */
export function drawProgress(io: Io, total: number) {
  const startedAt = performance.now();
  let first: number | undefined;
  const draw = (text: string) => io.isTerminal && io.err(`\r\u001b[K${text}`);
  return {
    step(done: number) {
      first ??= done;
      const seconds = (performance.now() - startedAt) / 1_000;
      const speed = (done - first) / seconds;
      const filled = Math.round((20 * done) / Math.max(1, total));
      const left = speed > 0 ? ` · ${plural(Math.ceil((total - done) / speed / 60), "minute")} left` : "";
      draw(
        `${"▇".repeat(filled)}${"░".repeat(20 - filled)} ${digits(done)} of ${digits(total)} passports${left}`,
      );
    },
    end: () => draw(""),
  };
}
