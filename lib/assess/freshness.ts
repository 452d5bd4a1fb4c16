// How often the newest record of the list moves, learnt from watching; so that standing still means something.

export type Freshness = {
  /** The newest last_calculated_at of the page. */
  newestMs: number;
  /** When it was last seen to move, or first seen. */
  movedMs: number;
  lastMs: number;
  moves: number;
  /** Times between moves that were watched throughout. */
  gapsMs: number[];
  /** The watch had a hole since the last move, so the time since says nothing about the rhythm. */
  holed: boolean;
  /** Looks in a row at which it was earlier than before. */
  earlier: number;
  /** Times it moved again after it had counted as frozen. */
  thaws: number;
};

const maxGaps = 60;
const maxHoleMs = 6 * 3_600_000;
/** Ages are rounded and taken a moment after the probe's start. */
const jitterMs = 60_000;
/** A record that leaves the page takes its time along: after so many looks the next newest is the measure. */
const acceptEarlier = 12;
const patience = 6;

export function frozenAfterMs({ gapsMs }: Freshness, atLeastMs: number): number {
  return Math.max(atLeastMs, patience * Math.max(0, ...gapsMs));
}

export function noteFreshness(
  before: Freshness | undefined,
  atMs: number,
  newestMs: number,
  atLeastMs: number,
): Freshness {
  if (!before)
    return {
      newestMs,
      movedMs: atMs,
      lastMs: atMs,
      moves: 0,
      gapsMs: [],
      holed: false,
      earlier: 0,
      thaws: 0,
    };
  const holed = before.holed || atMs - before.lastMs > maxHoleMs;
  if (newestMs > before.newestMs + jitterMs) {
    const gapMs = atMs - before.movedMs;
    const isThaw = gapMs > frozenAfterMs(before, atLeastMs);
    if (isThaw && !holed) before.thaws++;
    // The first gap has no known start. One freeze that ended is no rhythm; a second makes it one.
    const isRhythm = before.moves > 0 && !holed && (!isThaw || before.thaws > 1);
    if (isRhythm) before.gapsMs.push(gapMs);
    if (before.gapsMs.length > maxGaps) before.gapsMs.shift();
    Object.assign(before, { newestMs, movedMs: atMs, moves: before.moves + 1, holed: false, earlier: 0 });
  } else {
    before.holed = holed;
    before.earlier = newestMs < before.newestMs - jitterMs ? before.earlier + 1 : 0;
    if (before.earlier >= acceptEarlier) Object.assign(before, { newestMs, earlier: 0 });
  }
  before.lastMs = atMs;
  return before;
}
