// The ranges that the page offers, and how finely each is cut.
import type { RangeName } from "./api-shapes.ts";

export type Range = { name: RangeName; fromMs: number; untilMs: number; bucketMs: number };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const sizes: Record<Exclude<RangeName, "all">, { lengthMs: number; bucketMs: number }> = {
  "1h": { lengthMs: hourMs, bucketMs: minuteMs },
  "24h": { lengthMs: dayMs, bucketMs: hourMs / 2 },
  "7d": { lengthMs: 7 * dayMs, bucketMs: 3 * hourMs },
  "30d": { lengthMs: 30 * dayMs, bucketMs: 12 * hourMs },
};
const mostBuckets = 60;

/** Ends with the bucket that now lies in, so that a picture does not shiver from second to second. */
export function findRange(name: RangeName, nowMs: number, firstMs: number | undefined): Range {
  if (name !== "all") {
    const { lengthMs, bucketMs } = sizes[name];
    const untilMs = (Math.floor(nowMs / bucketMs) + 1) * bucketMs;
    return { name, fromMs: untilMs - lengthMs, untilMs, bucketMs };
  }
  const spanMs = Math.max(hourMs, nowMs - (firstMs ?? nowMs));
  const unitMs = spanMs > mostBuckets * hourMs ? dayMs : minuteMs;
  const bucketMs = Math.ceil(spanMs / mostBuckets / unitMs) * unitMs;
  const untilMs = (Math.floor(nowMs / bucketMs) + 1) * bucketMs;
  const buckets = Math.ceil((untilMs - (nowMs - spanMs)) / bucketMs);
  return { name, fromMs: untilMs - buckets * bucketMs, untilMs, bucketMs };
}
