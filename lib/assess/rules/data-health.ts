// Fake-OK responses: V1 answers 200, and what it answers is no longer V1's data. Only the steady stream is
// looked at; freshness only on the list, because one passport may rest for 30 days in good health.
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { Cause } from "../../records/incident.ts";
import type { Notices, Observation } from "../../records/observation.ts";
import { count, describeDuration, plural } from "../alerts/text.ts";
import { dayText, endpointsText, sortEndpoints } from "../date-text.ts";
import { isPrimary, type PrimaryState } from "./response-class.ts";

export type DataThresholds = {
  /** The newest record may stand still for so long, whatever is learnt. */
  frozenAfterMs: number;
};
export const dataThresholds: DataThresholds = { frozenAfterMs: 36 * 3_600_000 };

type Mark = NonNullable<Notices["body"]>;
type Run = { sinceMs: number; times: number };

type Endpoint = {
  /** Earlier answers by what they were. */
  whole: number;
  empty: number;
  mark?: Run & { is: Mark };
};

export type DataHealthState = {
  primary: PrimaryState;
  endpoints: Partial<Record<EndpointId, Endpoint>>;
  /** How many records the list says there are: one an hour at the most, while it has not shrunk. */
  totals: { lastMs: number; values: number[] };
  low?: Run & { total: number };
  freshness?: Freshness;
};

export type DataCause = Extract<Cause, `data/${string}`>;
export type DataVerdict = {
  cause: DataCause;
  endpoints: EndpointId[];
  sinceMs: number;
  certainty: "sure" | "likely" | "guess";
  /** Of what kind it is, where a cause has several. */
  class?: string;
  evidence: string[];
};

const maxTotals = 72;
const minTotals = 5;
const confirmations = 2;
/** A sample may have no credentials at all, so an empty answer there needs more than on the list. */
const emptyConfirmations = { "passport-list": 2, passport: 3, "passport-credentials": 3 };

export function noteDataHealth(
  state: DataHealthState | undefined,
  observation: Observation,
  thresholds: DataThresholds = dataThresholds,
): DataHealthState {
  const noted: DataHealthState = state ?? { primary: {}, endpoints: {}, totals: { lastMs: 0, values: [] } };
  if (!isPrimary(noted.primary, observation) || observation.outcome.kind !== "ok") return noted;
  const { endpoint, staleness, notices } = observation;
  const atMs = Date.parse(observation.at);
  const seen: Endpoint = noted.endpoints[endpoint] ?? { whole: 0, empty: 0 };
  noted.endpoints[endpoint] = seen;
  noteMark(seen, notices.body, atMs);
  if (endpoint !== "passport-list" || !staleness || notices.body) return noted;
  if (staleness.total !== undefined) noteTotal(noted, staleness.total, atMs);
  if (!staleness.muted && staleness.ages && staleness.dated > 0) {
    const newestMs = Math.round(atMs - staleness.ages.newest * 1000);
    if (!Number.isSafeInteger(newestMs)) return noted;
    noted.freshness = noteFreshness(noted.freshness, atMs, newestMs, thresholds.frozenAfterMs);
  }
  return noted;
}

function noteMark(seen: Endpoint, body: Mark | undefined, atMs: number): void {
  if (seen.mark && seen.mark.is === body) {
    seen.mark.times++;
    return;
  }
  if (seen.mark?.is === "empty") seen.empty += seen.mark.times;
  delete seen.mark;
  if (body) seen.mark = { is: body, sinceMs: atMs, times: 1 };
  else seen.whole++;
}

function noteTotal(state: DataHealthState, total: number, atMs: number): void {
  const { totals, low } = state;
  const usual = median(totals.values);
  if (totals.values.length >= minTotals && usual !== undefined && total < usual / 2) {
    state.low = { sinceMs: low?.sinceMs ?? atMs, times: (low?.times ?? 0) + 1, total };
    return;
  }
  delete state.low;
  if (totals.values.length > 0 && atMs - totals.lastMs < 3_600_000) return;
  totals.lastMs = atMs;
  totals.values.push(total);
  if (totals.values.length > maxTotals) totals.values.shift();
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

export function judgeDataHealth(
  state: DataHealthState,
  nowMs: number,
  thresholds: DataThresholds = dataThresholds,
): DataVerdict[] {
  return [
    ...judgeMarks(state, "data/serves-v2"),
    ...judgeMarks(state, "data/stub-data"),
    ...judgeTotal(state),
    ...judgeFreshness(state, nowMs, thresholds),
  ];
}

function isDead(endpoint: EndpointId, seen: Endpoint, cause: DataCause): boolean {
  const { mark, whole, empty } = seen;
  if (!mark) return false;
  if (cause === "data/serves-v2") return mark.is === "v2-shaped" && mark.times >= confirmations;
  // A sample that never had a score or a credential proves nothing; the list always should.
  if (mark.is === "stub-data")
    return mark.times >= confirmations && (whole > 0 || endpoint === "passport-list");
  const wasSeldomEmpty = whole > 0 && empty <= whole / 20;
  return mark.is === "empty" && mark.times >= emptyConfirmations[endpoint] && wasSeldomEmpty;
}

const markWords: Record<Mark, string> = {
  "v2-shaped": "a 200 in the shape of V2",
  "stub-data": "a 200 with every score 0",
  empty: "a 200 without any record",
};

function judgeMarks(state: DataHealthState, cause: DataCause): DataVerdict[] {
  const dead = endpointIds.flatMap((endpoint) => {
    const seen = state.endpoints[endpoint];
    return seen?.mark && isDead(endpoint, seen, cause)
      ? [{ endpoint, mark: seen.mark, whole: seen.whole }]
      : [];
  });
  if (dead.length === 0) return [];
  const endpoints = sortEndpoints(dead.map(({ endpoint }) => endpoint));
  const isBroad = dead.length > 1 || endpoints[0] === "passport-list";
  const wasWhole = dead.some(({ whole }) => whole > 0);
  const evidence = [...new Set(dead.map(({ mark }) => mark.is))].map((is) => {
    const alike = dead.filter(({ mark }) => mark.is === is);
    const times = alike.reduce((sum, { mark }) => sum + mark.times, 0);
    return `${markWords[is]}: the last ${plural(times, "answer")}, ${endpointsText(alike.map(({ endpoint }) => endpoint))}`;
  });
  const isEmptyOnly = dead.every(({ mark }) => mark.is === "empty");
  if (!isBroad) evidence.push("one endpoint only: it may be the sample and not V1");
  return [
    {
      cause,
      endpoints,
      sinceMs: Math.min(...dead.map(({ mark }) => mark.sinceMs)),
      certainty: isBroad && wasWhole ? "sure" : isBroad || cause === "data/serves-v2" ? "likely" : "guess",
      ...(isEmptyOnly && { class: "no record" }),
      evidence,
    },
  ];
}

function judgeTotal({ low, totals }: DataHealthState): DataVerdict[] {
  if (!low || low.times < confirmations) return [];
  const usual = median(totals.values) ?? 0;
  return [
    {
      cause: "data/data-shrinking",
      endpoints: ["passport-list"],
      sinceMs: low.sinceMs,
      certainty: "sure",
      evidence: [`the list says ${plural(low.total, "record")} in total; it used to say ${count(usual)}`],
    },
  ];
}

function judgeFreshness(
  { freshness }: DataHealthState,
  nowMs: number,
  thresholds: DataThresholds,
): DataVerdict[] {
  if (!freshness) return [];
  const { lastMs, movedMs, newestMs, moves, gapsMs } = freshness;
  // Judged at the last look: what was not looked at is not known to stand still.
  const stillMs = Math.min(lastMs, nowMs) - movedMs;
  if (stillMs <= frozenAfterMs(freshness, thresholds.frozenAfterMs)) return [];
  const longestMs = Math.max(0, ...gapsMs);
  return [
    {
      cause: "data/frozen",
      endpoints: ["passport-list"],
      sinceMs: movedMs,
      certainty: moves >= 5 ? "sure" : moves > 0 ? "likely" : "guess",
      evidence: [
        `newest record has not moved for ${describeDuration(stillMs / 1000)}; it is of ${dayText(newestMs)}`,
        moves === 0
          ? "it has not moved since the watch began"
          : `before, it moved ${plural(moves, "time")}${longestMs > 0 ? `, at least every ${describeDuration(longestMs / 1000)}` : ""}`,
      ],
    },
  ];
}

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
