// One data point of the metrics list, for CloudWatch and for the local evaluation of alarms.
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
  /** Never empty and always finite; counts belong to values, so that percentiles work. */
  values: z.array(z.number()).min(1).max(150),
  counts: z.array(z.number().positive()).optional(),
});
export type MetricPoint = z.infer<typeof metricPoint>;
