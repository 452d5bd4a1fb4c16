// One data point of the metrics catalogue on its way to CloudWatch, or to the local evaluation.
import * as z from "zod";
import { endpointIds } from "../contract/endpoints.ts";

export const metricPoint = z.strictObject({
  metric: z.string().max(40),
  endpoint: z.enum(endpointIds).optional(),
  /** The probe's start, not the time of sending. */
  atMs: z.int(),
  /** Never empty and always finite; counts go with values, so that percentiles work. */
  values: z.array(z.number()).min(1).max(150),
  counts: z.array(z.number().positive()).optional(),
});
export type MetricPoint = z.infer<typeof metricPoint>;
