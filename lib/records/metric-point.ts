// One data point of a metric, for CloudWatch, for /metrics or for the alarm evaluation on one machine. It is derived from an
// observation or an assessment, and never stored.
import type { EndpointId } from "../contract/endpoints.ts";

export type MetricPoint = {
  metric: string;
  /** The dimension Endpoint. */
  endpoint?: EndpointId | undefined;
  /** The start of the check, not the time of publishing. */
  atMs: number;
  /** Never empty, and every value is finite. */
  values: number[];
  /** How often each value occurred; once where it is left out. */
  counts?: number[] | undefined;
};
