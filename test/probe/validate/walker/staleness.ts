// How old the data is, from every last_calculated_at of one response. No data is not 0: an age that
// cannot be known is absent.
import type { Staleness } from "../../../../lib/records/observation.ts";
import { chancesOf } from "./drift.ts";
import { slots, type Tally } from "./tally.ts";

/** A target a moment ahead of us is not in the future. */
const futureToleranceMs = 5_000;

const roundSeconds = (ms: number) => Math.round(ms / 100) / 10;

/** Nearest rank: the smallest age that at least this share of the records does not exceed. */
const percentile = (sorted: ArrayLike<number>, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))]!;

/** Of the past timestamps, youngest first, in milliseconds. */
function sortAges(timestamps: readonly number[], nowMs: number): ArrayLike<number> {
  const ages: number[] = [];
  for (let index = 0; index < timestamps.length; index++) {
    const ageMs = nowMs - timestamps[index]!;
    if (ageMs >= -futureToleranceMs) ages.push(Math.max(0, ageMs));
  }
  // A typed array sorts numbers as numbers, without a comparator; it is not worth its making for one.
  return ages.length < 2 ? ages : new Float64Array(ages).sort();
}

export type Clock = {
  nowMs: number;
  /** From the response's Date and Age headers. */
  targetNowMs?: number | undefined;
  maxSkewSeconds: number;
};

export function measureStaleness(tally: Tally, clock: Clock): Staleness {
  const { timestamp, flag } = tally.shape;
  const at = timestamp.index * slots.size;
  let wrongType = 0;
  for (let type = 1; type < 6; type++) wrongType += tally.counts[at + slots.wrong + type]!;
  let unreadable = wrongType;
  const formats = tally.formats.get(timestamp.index);
  if (formats) for (const [count] of formats.counts.values()) unreadable += count!;

  const ages = sortAges(tally.timestamps, clock.nowMs);
  const dated = ages.length;
  const staleness: Staleness = {
    records: chancesOf(timestamp, tally),
    dated,
    missing: tally.counts[at + slots.missing]!,
    null: tally.counts[at + slots.wrong]!,
    future: tally.timestamps.length - dated,
    unparsable: unreadable,
    calculating: flag ? tally.counts[flag.index * slots.size + slots.true]! : 0,
    muted: false,
  };
  if (dated > 0) {
    staleness.ages = {
      newest: roundSeconds(ages[0]!),
      p50: roundSeconds(percentile(ages, 0.5)),
      p95: roundSeconds(percentile(ages, 0.95)),
      oldest: roundSeconds(ages[dated - 1]!),
    };
  }
  if (clock.targetNowMs !== undefined) {
    staleness.skewSeconds = Math.round((clock.targetNowMs - clock.nowMs) / 1000);
    staleness.muted = Math.abs(staleness.skewSeconds) > clock.maxSkewSeconds;
  }
  return staleness;
}
