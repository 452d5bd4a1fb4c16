// Windows in which all endpoints failed alike, from the steady stream of answers. A probe sees V1 only
// now and then, so each edge is known as an interval: the last look before it and the first after it.
import type { EndpointId } from "../../../contract/endpoints.ts";
import type { Observation } from "../../../records/observation.ts";
import { answerOf } from "../response-class.ts";

export type OutageWindow = {
  /** The true start lies after this and no later than `startByMs`; likewise the end. */
  startAfterMs: number;
  startByMs: number;
  endAfterMs: number;
  endByMs: number;
  /** The one status of almost all answers in it. */
  answer: string;
};

export type OpenOutage = {
  startAfterMs?: number;
  startByMs: number;
  lastBadMs: number;
  firstGoodMs?: number;
  answers: Record<string, number>;
  /** Still failing, and failing at any time. */
  failing: EndpointId[];
  touched: EndpointId[];
  /** An endpoint was served meanwhile: a fault, and no decision to switch V1 off. */
  partial: boolean;
};

export type OutageState = {
  lastGoodMs?: number;
  lastSeenMs: Partial<Record<EndpointId, number>>;
  open?: OpenOutage;
  windows: OutageWindow[];
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const maxWindows = 60;
const maxAnswers = 8;
/** Windows are at least an hour in the field; a restart or a deployment is over sooner. */
const minLengthMs = 50 * minuteMs;
/** An edge that nobody looked at for longer says nothing about the time of day. */
const maxBlurMs = 2 * hourMs;
const togetherMs = 5 * minuteMs;
const homogeneousShare = 0.8;
/** Statuses that somebody chooses; a 500, 502, 504 or a reset is what a breakdown looks like. */
const chosen = /^(?:503|410|404|401|403|429|451|426|30[1278])$/;

export const freshOutages = (): OutageState => ({ lastSeenMs: {}, windows: [] });

export function noteOutage(state: OutageState, observation: Observation): void {
  const { endpoint, notices } = observation;
  const atMs = Date.parse(observation.at);
  const answer = answerOf(observation);
  // A used-up quota refuses everything too, and is nobody's plan.
  if (answer === undefined || (answer !== "ok" && notices.usage?.exhausted)) return;
  state.lastSeenMs[endpoint] = atMs;
  if (answer === "ok") noteGood(state, endpoint, atMs);
  else noteBad(state, endpoint, atMs, answer);
}

function noteBad(state: OutageState, endpoint: EndpointId, atMs: number, answer: string): void {
  const open: OpenOutage = state.open ?? {
    ...(state.lastGoodMs !== undefined && { startAfterMs: state.lastGoodMs }),
    startByMs: atMs,
    lastBadMs: atMs,
    answers: {},
    failing: [],
    touched: [],
    partial: false,
  };
  state.open = open;
  if (open.firstGoodMs !== undefined) {
    if (atMs - open.firstGoodMs > togetherMs) open.partial = true;
    delete open.firstGoodMs;
  }
  open.lastBadMs = atMs;
  const known = Object.hasOwn(open.answers, answer) || Object.keys(open.answers).length < maxAnswers;
  const name = known ? answer : "other";
  open.answers[name] = (open.answers[name] ?? 0) + 1;
  if (!open.failing.includes(endpoint)) open.failing.push(endpoint);
  if (!open.touched.includes(endpoint)) open.touched.push(endpoint);
}

function noteGood(state: OutageState, endpoint: EndpointId, atMs: number): void {
  state.lastGoodMs = atMs;
  const { open } = state;
  if (!open) return;
  if (!open.touched.includes(endpoint)) open.partial = true;
  open.failing = open.failing.filter((failing) => failing !== endpoint);
  open.firstGoodMs ??= atMs;
  if (open.failing.length > 0) return;
  delete state.open;
  const window = closeWindow(open, state);
  if (window) state.windows.push(window);
  if (state.windows.length > maxWindows) state.windows.shift();
}

function closeWindow(open: OpenOutage, state: OutageState): OutageWindow | undefined {
  const { startAfterMs, startByMs, lastBadMs: endAfterMs, firstGoodMs: endByMs } = open;
  const answer = uniformAnswer(open, state);
  if (answer === undefined || startAfterMs === undefined || endByMs === undefined) return undefined;
  const isBlurred = startByMs - startAfterMs > maxBlurMs || endByMs - endAfterMs > maxBlurMs;
  if (isBlurred || endByMs - startAfterMs < minLengthMs) return undefined;
  return { startAfterMs, startByMs, endAfterMs, endByMs, answer };
}

/** The chosen status by which all endpoints fail together; undefined for any other kind of failing. */
export function uniformAnswer(open: OpenOutage, { lastSeenMs }: OutageState): string | undefined {
  const watched = (Object.keys(lastSeenMs) as EndpointId[]).filter(
    (endpoint) => (lastSeenMs[endpoint] ?? 0) > open.startByMs - 24 * hourMs,
  );
  if (open.partial || watched.some((endpoint) => !open.touched.includes(endpoint))) return undefined;
  const counts = Object.entries(open.answers);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return counts.find(([answer, count]) => chosen.test(answer) && count >= homogeneousShare * all)?.[0];
}

// Where the edges of a window most likely are, given that people switch things off on the hour.
export type Span = { fromMs: number; untilMs: number };

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
