// What an alarm reads, as data: written for CloudWatch and computed on a laptop, so that neither is parsed.
import type { MetricName } from "./metrics.ts";

export type Statistic = "Sum" | "Average" | "Minimum" | "Maximum" | "SampleCount" | `p${number}`;

/** One metric over one period, reduced to a number. */
export type Reading = { metric: MetricName; statistic: Statistic };

/** CloudWatch bills an alarm for every metric that it reads, so each reads one. */
export type Signal = Reading & {
  /** Where there is no data there is this number instead: FILL. */
  fill?: number;
};

/** In CloudWatch's words; undefined where the metric itself is what is read. */
export const renderFill = ({ fill }: Signal): string | undefined =>
  fill === undefined ? undefined : `FILL(m1, ${fill})`;
