// What is counted of an incident. Every series counts its marks; with a bad mark, at which a window may begin or end, the counts
// of all endpoints of the row are kept. Two of them differ by what lies between: over exactly the endpoints and the window that
// a sentence names, however many checks that are.
import type { EndpointId } from "../../contract/endpoints.ts";

export type Counted = {
  bad: number;
  total: number;
  /** The bad ones by what they got (`503`, `timeout`), and by what this is a kind of. */
  labels: Record<string, number>;
  kinds: Record<string, number>;
};

/** The marks of one endpoint so far, and the latest good one. */
export type Tally = Counted & {
  goodMs?: number | undefined;
  /** Checks that are neither: the row says how many of its time it leaves out. */
  uncounted?: number | undefined;
};
export type Tallies = Partial<Record<EndpointId, Tally>>;

/** The first mark of a window, and what was counted before it. */
export type Onset = { atMs: number; before: Tallies };

const maxLabels = 12;

function addLabel(labels: Record<string, number>, label: string | undefined, times = 1): void {
  if (label === undefined) return;
  const isRoom = label in labels || Object.keys(labels).length < maxLabels;
  const name = isRoom ? label : "other";
  labels[name] = (labels[name] ?? 0) + times;
}

export function addLabels(labels: Record<string, number>, more: Record<string, number>): void {
  for (const [label, times] of Object.entries(more)) addLabel(labels, label, times);
}

export const freshTally = (goodMs?: number): Tally => ({ bad: 0, total: 0, goodMs, labels: {}, kinds: {} });

/** The counts with one more mark; those that were kept stay as they are. */
export function addMark(
  tally: Tally,
  atMs: number,
  bad: { label: string | undefined; kind: string | undefined } | undefined,
): Tally {
  if (!bad) return { ...tally, total: tally.total + 1, goodMs: atMs };
  const [labels, kinds] = [{ ...tally.labels }, { ...tally.kinds }];
  addLabel(labels, bad.label);
  addLabel(kinds, bad.kind);
  return { ...tally, bad: tally.bad + 1, total: tally.total + 1, labels, kinds };
}

function addAll(sums: Record<string, number>, counts: Record<string, number>): void {
  for (const [name, count] of Object.entries(counts)) if (count > 0) sums[name] = (sums[name] ?? 0) + count;
}

export function addCounts(all: readonly Counted[]): Counted {
  const sum: Counted = { bad: 0, total: 0, labels: {}, kinds: {} };
  for (const { bad, total, labels, kinds } of all) {
    sum.bad += bad;
    sum.total += total;
    addAll(sum.labels, labels);
    addAll(sum.kinds, kinds);
  }
  return sum;
}

export const addUnmarked = (tally: Tally): Tally => ({ ...tally, total: tally.total + 1 });

export const addUncounted = (tally: Tally): Tally => ({ ...tally, uncounted: (tally.uncounted ?? 0) + 1 });

const subtractAll = (from: Record<string, number>, to: Record<string, number>) =>
  Object.fromEntries(Object.entries(to).map(([name, count]) => [name, count - (from[name] ?? 0)]));

export const countBetween = (before: Tallies, through: Tallies, names: readonly EndpointId[]): Counted =>
  addCounts(
    names.map((name) => {
      const [from, to] = [before[name] ?? freshTally(), through[name] ?? freshTally()];
      return {
        bad: to.bad - from.bad,
        total: to.total - from.total,
        labels: subtractAll(from.labels, to.labels),
        kinds: subtractAll(from.kinds, to.kinds),
      };
    }),
  );

const marksOf = (tallies: Tallies): number =>
  Object.values(tallies).reduce((sum, { total }) => sum + total, 0);

/** The first instant, and the fewest counts: marks of silence are counted later than the checks whose time they have. */
export const earliest = (onsets: readonly Onset[]): Onset => ({
  atMs: Math.min(...onsets.map(({ atMs }) => atMs)),
  before: onsets.map(({ before }) => before).toSorted((a, b) => marksOf(a) - marksOf(b))[0]!,
});
