// Counts by a stranger's word without letting the stranger choose our memory. Beyond the bound the
// alphabetically first words stay and the rest fold into one, so that the order of rows never matters.

/** A word's counts, by a small class such as the JSON type that came with it. */
export type ClassCounts = number[];
const classes = 6;

export type BoundedCount = {
  max: number;
  counts: Map<string, ClassCounts>;
  /** What was counted under words that did not fit or must not be kept. */
  folded: ClassCounts;
  lastWord: string | undefined;
  lastCounts: ClassCounts;
};

const noCounts = (): ClassCounts => [0, 0, 0, 0, 0, 0];

export function createBoundedCount(max: number): BoundedCount {
  const folded = noCounts();
  return { max, counts: new Map(), folded, lastWord: undefined, lastCounts: folded };
}

export function emptyBoundedCount(bounded: BoundedCount): void {
  bounded.counts.clear();
  bounded.folded.fill(0);
  bounded.lastWord = undefined;
}

function largest(words: Iterable<string>): string {
  let found = "";
  for (const word of words) if (word > found) found = word;
  return found;
}

function countsOf(into: BoundedCount, word: string, isKept: (word: string) => boolean): ClassCounts {
  const known = into.counts.get(word);
  if (known) return known;
  if (!isKept(word)) return into.folded;
  if (into.counts.size >= into.max) {
    const last = largest(into.counts.keys());
    if (word > last) return into.folded;
    const evicted = into.counts.get(last)!;
    for (let index = 0; index < classes; index++) into.folded[index]! += evicted[index]!;
    into.counts.delete(last);
  }
  const counts = noCounts();
  into.counts.set(word, counts);
  return counts;
}

export function countWord(
  into: BoundedCount,
  word: string,
  isKept: (word: string) => boolean,
  classIndex: number,
): void {
  // Rows repeat themselves: the same word as last time costs one comparison.
  if (word === into.lastWord) {
    into.lastCounts[classIndex]!++;
    return;
  }
  const counts = countsOf(into, word, isKept);
  counts[classIndex]!++;
  // What is not kept is not remembered either: it may be a megabyte, or a person's.
  if (counts === into.folded) return;
  into.lastCounts = counts;
  into.lastWord = word;
}
