// How old the data is, from every last_calculated_at of one response. No data is not 0: an age that
// cannot be known is absent.
import type { Staleness } from "../records/observation.ts";
import { chancesOf } from "./drift.ts";
import { slots, type Tally } from "./tally.ts";

/** A target a moment ahead of us is not in the future. */
const futureToleranceMs = 5_000;

const roundSeconds = (ms: number) => Math.round(ms / 100) / 10;

/** Nearest rank: the smallest age that at least this share of the records does not exceed. */
const percentile = (sorted: Float64Array, share: number) =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))]!;

export type Clock = {
  nowMs: number;
  /** From the response's Date header. */
  targetNowMs?: number | undefined;
  maxSkewSeconds: number;
};

export function measureStaleness(tally: Tally, clock: Clock): Staleness {
  const { timestamp, flag } = tally.shape;
  const at = timestamp.index * slots.size;
  let wrongType = 0;
  for (let type = 1; type < 6; type++) wrongType += tally.counts[at + slots.wrong + type]!;
  const formats = tally.formats[timestamp.index];
  let unreadable = wrongType;
  if (formats) for (const [count] of formats.counts.values()) unreadable += count!;

  const { timestamps } = tally;
  // A typed array sorts numbers as numbers, without a comparator.
  const buffer = new Float64Array(timestamps.length);
  let dated = 0;
  for (let index = 0; index < timestamps.length; index++) {
    const ageMs = clock.nowMs - timestamps[index]!;
    if (ageMs >= -futureToleranceMs) buffer[dated++] = Math.max(0, ageMs);
  }
  const ages = buffer.subarray(0, dated).sort();
  const skewSeconds =
    clock.targetNowMs === undefined ? undefined : Math.round((clock.targetNowMs - clock.nowMs) / 1000);
  return {
    records: chancesOf(timestamp, tally),
    ...(dated > 0 && {
      ages: {
        newest: roundSeconds(ages[0]!),
        p50: roundSeconds(percentile(ages, 0.5)),
        p95: roundSeconds(percentile(ages, 0.95)),
        oldest: roundSeconds(ages[dated - 1]!),
      },
    }),
    dated,
    missing: tally.counts[at + slots.missing]!,
    null: tally.counts[at + slots.wrong]!,
    future: timestamps.length - dated,
    unparsable: unreadable,
    calculating: flag ? tally.counts[flag.index * slots.size + slots.true]! : 0,
    ...(skewSeconds !== undefined && { skewSeconds }),
    muted: skewSeconds !== undefined && Math.abs(skewSeconds) > clock.maxSkewSeconds,
  };
}
