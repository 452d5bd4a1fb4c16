// One data point of a metric, for CloudWatch or for the local alarm evaluation.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";

export const metricPoint = z.strictObject({
  metric: z.string().max(40),
  /** The dimension Endpoint. */
  endpoint: z.enum(endpointIds).optional(),
  /** The dimension Function. */
  function: z.string().max(60).optional(),
  /** The start of the check, not the time of publishing. */
  atMs: z.int(),
  /**
   * Never empty, and every value is finite. `counts` has one entry per value, so that percentiles can be
   * computed.
   */
  values: z.array(z.number()).min(1).max(150),
  counts: z.array(z.number().positive()).optional(),
});
export type MetricPoint = z.infer<typeof metricPoint>;
