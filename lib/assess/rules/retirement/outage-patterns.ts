// Patterns among windows: the same hour weeks apart, twins on one day, a rhythm within a day.

import { dayMs, hourMs } from "../../date-text.ts";
import type { OutageWindow } from "./outage-windows.ts";
import {
  guessEdge,
  haveEqualLength,
  longestMs,
  type Span,
  shortestMs,
  spanOf,
  startsLater,
} from "./outage-windows.ts";

type Several = readonly [OutageWindow, OutageWindow, ...OutageWindow[]];

export type Twins = readonly [OutageWindow, OutageWindow];

export type Chain = {
  windows: Several;
  stepDays: number;
  equal: boolean;
  grows: boolean;
  next: Span;
};

export type Rhythm = { windows: Several; everyMs: number; next: Span };

export type Patterns = { chains: Chain[]; rhythm?: Rhythm; twins?: Twins };

/** Seen in the field: weekly and every four weeks; days in a row are maintenance more often than not. */
const stepsDays = [7, 28, 14, 1];
const twinMinLengthMs = 1.5 * hourMs;
const twinMinApartMs = 4 * hourMs;
const maxRhythmMs = 8 * hourMs;

export function findPatterns(windows: readonly OutageWindow[]): Patterns {
  const rhythm = findRhythm(windows);
  const twins = findTwins(windows);
  return { chains: findChains(windows), ...(rhythm && { rhythm }), ...(twins && { twins }) };
}

function findChains(windows: readonly OutageWindow[]): Chain[] {
  const follows = (one: OutageWindow, other: OutageWindow, stepMs: number) =>
    one.answer === other.answer && startsLater(one, other, stepMs);
  const found = stepsDays.flatMap((stepDays) => {
    const stepMs = stepDays * dayMs;
    const heads = windows.filter((window) => !windows.some((earlier) => follows(earlier, window, stepMs)));
    return heads.flatMap((head) => {
      const chain = [head];
      for (let last: OutageWindow | undefined = head; last; ) {
        const from: OutageWindow = last;
        last = windows.find((later) => follows(from, later, stepMs));
        if (last) chain.push(last);
      }
      return isSeveral(chain) ? [describeChain(chain, stepDays)] : [];
    });
  });
  const used = new Set<OutageWindow>();
  // The longest first; what it explains is not counted again by a slower step.
  return found
    .sort((a, b) => b.windows.length - a.windows.length)
    .filter(({ windows: chain }) => {
      const isNew = chain.filter((window) => used.has(window)).length < 2;
      if (isNew) for (const window of chain) used.add(window);
      return isNew;
    });
}

const isSeveral = (windows: readonly OutageWindow[]): windows is Several => windows.length > 1;

function describeChain(windows: Several, stepDays: number): Chain {
  const stepMs = stepDays * dayMs;
  const last = windows.at(-1) ?? windows[1];
  // Each window narrows where the common start lies.
  const shifted = windows.map(({ startAfterMs, startByMs }, index) => {
    const byMs = (windows.length - index) * stepMs;
    return { afterMs: startAfterMs + byMs, byMs: startByMs + byMs };
  });
  const fromMs = guessEdge(
    Math.max(...shifted.map(({ afterMs }) => afterMs)),
    Math.min(...shifted.map(({ byMs }) => byMs)),
  );
  const span = spanOf(last);
  const rises = windows.every(
    (window, index) => index === 0 || longestMs(window) > shortestMs(windows[index - 1] ?? window),
  );
  return {
    windows,
    stepDays,
    equal: windows.every((window) => haveEqualLength(windows[0], window)),
    grows: windows.length > 2 && rises && shortestMs(last) >= 1.5 * longestMs(windows[0]),
    next: { fromMs, untilMs: fromMs + span.untilMs - span.fromMs },
  };
}

function findTwins(windows: readonly OutageWindow[]): Twins | undefined {
  for (const [index, one] of windows.entries()) {
    const other = windows.slice(index + 1).find((later) => areTwins(one, later));
    if (other) return [one, other];
  }
  return undefined;
}

const dayOf = (ms: number) => Math.floor(ms / dayMs);

const areTwins = (one: OutageWindow, other: OutageWindow) =>
  one.answer === other.answer &&
  dayOf(spanOf(one).fromMs) === dayOf(spanOf(other).fromMs) &&
  haveEqualLength(one, other) &&
  Math.min(shortestMs(one), shortestMs(other)) >= twinMinLengthMs &&
  other.startByMs - one.startByMs >= twinMinApartMs;

/** The latest run of at least three equal windows at equal distances, hours apart. */
function findRhythm(windows: readonly OutageWindow[]): Rhythm | undefined {
  for (let end = windows.length; end > 2; end--) {
    let start = end - 1;
    while (start > 0 && continues(windows, start - 1, end)) start--;
    const run = windows.slice(start, end);
    const last = run.at(-1);
    if (run.length < 3 || !isSeveral(run) || !last) continue;
    const spans = run.map(spanOf);
    const fromMs = spanOf(last).fromMs;
    const everyMs = (fromMs - (spans[0]?.fromMs ?? 0)) / (run.length - 1);
    const lengthMs = spanOf(last).untilMs - fromMs;
    return {
      windows: run,
      everyMs,
      next: { fromMs: fromMs + everyMs, untilMs: fromMs + everyMs + lengthMs },
    };
  }
  return undefined;
}

/** Whether the window at `index` belongs before those up to `end`: like the next, and as far from it as that from its next. */
function continues(windows: readonly OutageWindow[], index: number, end: number): boolean {
  const [one, next, afterNext] = [windows[index], windows[index + 1], windows[index + 2]];
  if (!one || !next || one.answer !== next.answer || !haveEqualLength(one, next)) return false;
  if (next.startByMs - one.startByMs > maxRhythmMs) return false;
  if (!afterNext || index + 2 >= end) return true;
  const [nearestMs, farthestMs] = distance(one, next);
  const [nearMs, farMs] = distance(next, afterNext);
  return nearestMs < farMs && nearMs < farthestMs;
}

const distance = (one: OutageWindow, other: OutageWindow) =>
  [other.startAfterMs - one.startByMs, other.startByMs - one.startAfterMs] as const;
