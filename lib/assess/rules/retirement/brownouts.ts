// Brownouts: V1 is switched off on purpose, for a while, so that its clients notice. Told from accidents
// by rules with weights. Each rule that fits is a reason to believe; together 1 − Π(1 − weight), which is
// then lowered by the share of windows that fit no pattern.

import { describeDuration } from "../../alerts/text.ts";
import { clockText, dayMs, dayText } from "../../date-text.ts";
import { type Chain, findPatterns, type Rhythm, type Twins } from "./outage-patterns.ts";
import {
  isOnMark,
  type OutageState,
  type OutageWindow,
  type Span,
  spanOf,
  uniformAnswer,
} from "./outage-windows.ts";

export type Brownouts = {
  /** 0 to 1. */
  confidence: number;
  windows: (Span & { answer: string })[];
  next?: Span;
  /** All endpoints fail alike at this moment. */
  open?: { sinceMs: number; answer: string; expected: boolean };
  /** Most important first. */
  reasons: string[];
};

export const brownoutWeights = {
  allEndpointsOneStatus: 0.1,
  status503: 0.08,
  edgesOnTheHalfHour: 0.15,
  typicalLength: 0.1,
  twinsOnOneDay: 0.45,
  rhythmOfThree: 0.7,
  rhythmOfMore: 0.8,
  pairWeeksApart: 0.45,
  pairWeeksApartUnequal: 0.2,
  pairDaysApart: 0.15,
  chainOfThree: 0.75,
  chainOfMore: 0.85,
  dailyChain: 0.5,
  growth: 0.2,
} as const;

/** What is left of the confidence when no window fits a pattern. */
const irregularFloor = 0.4;
const horizonMs = 120 * dayMs;
const typicalHours = [1, 2, 3, 4, 6, 8, 12, 24, 48];
const sharpMs = 10 * 60_000;

type Sign = { weight: number; text?: string };

export function judgeBrownouts(state: OutageState, nowMs: number): Brownouts {
  const windows = state.windows.filter(({ startByMs }) => startByMs > nowMs - horizonMs);
  const { chains, rhythm, twins } = findPatterns(windows);
  const signs: Sign[] = [
    ...(rhythm ? [weighRhythm(rhythm)] : []),
    ...chains.flatMap(weighChain),
    ...(twins && !rhythm ? [weighTwins(twins)] : []),
    ...weighEach(windows),
  ];
  const inPattern = new Set([
    ...chains.flatMap((chain) => chain.windows),
    ...(rhythm?.windows ?? []),
    ...(twins ?? []),
  ]);
  const stray = windows.length - inPattern.size;
  const regularity =
    windows.length < 2 ? 1 : irregularFloor + (1 - irregularFloor) * (inPattern.size / windows.length);
  const doubt = signs.reduce((left, { weight }) => left * (1 - weight), 1);
  const next = predictNext(chains, rhythm, nowMs);
  const answer = state.open && uniformAnswer(state.open, state);
  return {
    confidence: Math.round((1 - doubt) * regularity * 100) / 100,
    windows: windows.map((window) => ({ ...spanOf(window), answer: window.answer })),
    ...(next && { next }),
    ...(state.open &&
      answer !== undefined && {
        open: { sinceMs: state.open.startByMs, answer, expected: isExpected(chains, rhythm, state.open) },
      }),
    reasons: [
      ...signs.flatMap(({ text }) => (text ? [text] : [])),
      ...(inPattern.size > 0 && stray > 0 ? [`${stray} of ${windows.length} windows fit no pattern`] : []),
      ...(inPattern.size === 0 && windows.length > 0 ? [describeLone(windows)] : []),
    ],
  };
}

/** What each window shows by itself; a coarse look shows no edges, and then they say nothing. */
function weighEach(windows: readonly OutageWindow[]): Sign[] {
  if (windows.length === 0) return [];
  const sharp = windows.filter(
    ({ startAfterMs, startByMs, endAfterMs, endByMs }) =>
      startByMs - startAfterMs <= sharpMs && endByMs - endAfterMs <= sharpMs,
  );
  const onMarks = sharp.length > 0 && sharp.every(isOnMark);
  const isTypical = (window: OutageWindow) => {
    const { fromMs, untilMs } = spanOf(window);
    return typicalHours.some((hours) => Math.abs(untilMs - fromMs - hours * 3_600_000) <= sharpMs);
  };
  return [
    { weight: brownoutWeights.allEndpointsOneStatus },
    ...(windows.every(({ answer }) => answer === "503") ? [{ weight: brownoutWeights.status503 }] : []),
    ...(onMarks
      ? [
          {
            weight: brownoutWeights.edgesOnTheHalfHour,
            text: "windows begin and end on the hour or half hour",
          },
        ]
      : []),
    ...(sharp.length > 0 && sharp.every(isTypical) ? [{ weight: brownoutWeights.typicalLength }] : []),
  ];
}

const spanText = (window: OutageWindow) => {
  const { fromMs, untilMs } = spanOf(window);
  return `${clockText(fromMs)}–${clockText(untilMs)}`;
};
const lengthText = (window: OutageWindow) => {
  const { fromMs, untilMs } = spanOf(window);
  return describeDuration((untilMs - fromMs) / 1000);
};

function weighTwins([first, second]: Twins): Sign {
  const day = dayText(spanOf(first).fromMs);
  return {
    weight: brownoutWeights.twinsOnOneDay,
    text: `two ${first.answer} windows of ${lengthText(first)} on ${day}, ${spanText(first)} and ${spanText(second)} UTC`,
  };
}

function weighRhythm({ windows, everyMs }: Rhythm): Sign {
  const [first] = windows;
  return {
    weight: windows.length > 3 ? brownoutWeights.rhythmOfMore : brownoutWeights.rhythmOfThree,
    text: `${windows.length} windows of ${first.answer} on ${dayText(first.startByMs)}, each ${lengthText(first)}, every ${describeDuration(everyMs / 1000)}`,
  };
}

function weighChain({ windows, stepDays, equal, grows }: Chain): Sign[] {
  const [first] = windows;
  const lengths = windows.map(lengthText);
  const apart = stepDays === 1 ? "on days in a row" : `${stepDays} days apart`;
  const number = windows.length === 2 ? "two" : String(windows.length);
  const text = equal
    ? `${number} ${first.answer} windows of ${lengths[0]}, ${spanText(first)} UTC, ${apart}`
    : `${number} ${first.answer} windows from ${clockText(spanOf(first).fromMs)} UTC, ${apart}`;
  return [
    { weight: chainWeight(windows.length, stepDays, equal), text },
    ...(grows
      ? [{ weight: brownoutWeights.growth, text: `the windows grow: ${lengths.slice(-8).join(", ")}` }]
      : []),
  ];
}

function chainWeight(length: number, stepDays: number, equal: boolean): number {
  // Nightly maintenance looks the same, so days in a row prove less than weeks.
  if (stepDays === 1) return length > 2 ? brownoutWeights.dailyChain : brownoutWeights.pairDaysApart;
  if (length > 2) return length > 3 ? brownoutWeights.chainOfMore : brownoutWeights.chainOfThree;
  return equal ? brownoutWeights.pairWeeksApart : brownoutWeights.pairWeeksApartUnequal;
}

const describeLone = (windows: readonly OutageWindow[]) =>
  windows.length === 1
    ? `one ${windows[0]?.answer} window of all endpoints: an accident, as far as one can tell`
    : `${windows.length} windows of all endpoints without a pattern: accidents, as far as one can tell`;

const expectations = (chains: readonly Chain[], rhythm: Rhythm | undefined): Span[] => [
  ...chains.map(({ next }) => next),
  ...(rhythm ? [rhythm.next] : []),
];

/** The soonest that is not over; one that did not come is not moved on. */
const predictNext = (chains: readonly Chain[], rhythm: Rhythm | undefined, nowMs: number) =>
  expectations(chains, rhythm)
    .filter(({ untilMs }) => untilMs > nowMs)
    .sort((a, b) => a.fromMs - b.fromMs)[0];

const isExpected = (
  chains: readonly Chain[],
  rhythm: Rhythm | undefined,
  open: { startAfterMs?: number; startByMs: number },
) =>
  expectations(chains, rhythm).some(
    ({ fromMs }) =>
      (open.startAfterMs ?? open.startByMs) - sharpMs <= fromMs && fromMs <= open.startByMs + sharpMs,
  );
