// Where the edges of a window most likely are, given that people switch things off on the hour.
import type { OutageWindow } from "./outage-windows.ts";

export type Span = { fromMs: number; untilMs: number };

const hourMs = 3_600_000;
const halfHourMs = hourMs / 2;
/** A scheduler's delay, or clocks that differ. */
const toleranceMs = 2 * 60_000;

/** The last full hour in (afterMs, byMs], else the last half hour, else byMs itself. */
export function guessEdge(afterMs: number, byMs: number): number {
  for (const markMs of [hourMs, halfHourMs]) {
    const edgeMs = Math.floor(byMs / markMs) * markMs;
    if (edgeMs > afterMs) return edgeMs;
  }
  return byMs;
}

export const spanOf = ({ startAfterMs, startByMs, endAfterMs, endByMs }: OutageWindow): Span => ({
  fromMs: guessEdge(startAfterMs, startByMs),
  untilMs: guessEdge(endAfterMs, endByMs),
});

const hasMark = (afterMs: number, byMs: number) =>
  Math.floor((byMs + toleranceMs) / halfHourMs) * halfHourMs >= afterMs - toleranceMs;

export const isOnMark = ({ startAfterMs, startByMs, endAfterMs, endByMs }: OutageWindow) =>
  hasMark(startAfterMs, startByMs) && hasMark(endAfterMs, endByMs);

export const shortestMs = ({ startByMs, endAfterMs }: OutageWindow) => endAfterMs - startByMs;
export const longestMs = ({ startAfterMs, endByMs }: OutageWindow) => endByMs - startAfterMs;

/** As far as one can see. */
export const haveEqualLength = (one: OutageWindow, other: OutageWindow) =>
  shortestMs(one) < longestMs(other) && shortestMs(other) < longestMs(one);

export const startsLater = (one: OutageWindow, other: OutageWindow, byMs: number) =>
  Math.max(one.startAfterMs + byMs, other.startAfterMs) < Math.min(one.startByMs + byMs, other.startByMs);
