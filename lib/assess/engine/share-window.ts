// The window of a share: the counted marks of the last 24 h of one series. The latest ones are kept one by one; of those
// before them the marks of a minute are counted together, so that a day has 1,440 entries at the most, whatever the cadence.
import { dayMs, minuteMs } from "../../time.ts";
import { addLabels } from "./tallies.ts";

/** One mark, or the marks of one minute. */
export type CountedMarks = {
  /** The first and the last of them. */
  fromMs: number;
  atMs: number;
  total: number;
  /** Absent where all are good. `value` is that of the last bad one. */
  bad?: BadMarks | undefined;
};

type BadMarks = {
  fromMs: number;
  atMs: number;
  count: number;
  value: unknown;
  labels: Record<string, number>;
};

/** So many latest marks of a series are kept one by one: the most that a level of a share counts. */
export const countedOneByOne = 36;

export const countOne = (
  atMs: number,
  bad: Pick<BadMarks, "value" | "labels"> | undefined,
): CountedMarks => ({
  fromMs: atMs,
  atMs,
  total: 1,
  bad: bad && { fromMs: atMs, atMs, count: 1, value: bad.value, labels: bad.labels },
});

/** Adds a mark, which is later than all before it, and forgets those of the day before. Mutates the window. */
export function addCounted(
  window: CountedMarks[],
  atMs: number,
  bad: Pick<BadMarks, "value" | "labels"> | undefined,
): void {
  while (window[0] && window[0].atMs <= atMs - dayMs) window.shift();
  window.push(countOne(atMs, bad));
  const last = window.length - 1 - countedOneByOne;
  const [before, own] = [window[last - 1], window[last]];
  if (before && own && isSameMinute(before, own)) window.splice(last - 1, 2, join(before, own));
}

const isSameMinute = (one: CountedMarks, other: CountedMarks) =>
  Math.floor(one.fromMs / minuteMs) === Math.floor(other.atMs / minuteMs);

const join = (one: CountedMarks, later: CountedMarks): CountedMarks => ({
  fromMs: one.fromMs,
  atMs: later.atMs,
  total: one.total + later.total,
  bad: one.bad && later.bad ? joinBad(one.bad, later.bad) : (one.bad ?? later.bad),
});

function joinBad(one: BadMarks, later: BadMarks): BadMarks {
  const labels = { ...one.labels };
  addLabels(labels, later.labels);
  const { atMs, value } = later;
  return { fromMs: one.fromMs, atMs, count: one.count + later.count, value, labels };
}

export const countAll = (marks: readonly CountedMarks[]): number =>
  marks.reduce((sum, { total }) => sum + total, 0);
export const countBad = (marks: readonly CountedMarks[]): number =>
  marks.reduce((sum, { bad }) => sum + (bad?.count ?? 0), 0);

/** The latest so many, of marks that are sorted with the latest first. */
export function takeLatest<Marks extends CountedMarks>(marks: readonly Marks[], count: number): Marks[] {
  let taken = 0;
  return marks.filter(({ total }) => {
    const isTaken = taken < count;
    taken += total;
    return isTaken;
  });
}
