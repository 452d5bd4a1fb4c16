// Which series CloudWatch gets. Each costs by the month, so none is published that no alarm and no graph reads; `/metrics` of the
// monitor on one machine has all of them.
import { type EndpointId, idsOf } from "../../contract/endpoints.ts";
import type { MetricPoint } from "../../records/metric-point.ts";
import { customMetrics, type MetricName } from "../metrics.ts";

/** The list is the longest response, and has the newest record: it stands for the others. */
const ofLists: readonly string[] = ["LatencyMs", "RecordAgeSeconds"] satisfies MetricName[];
const lists: readonly string[] = idsOf("list");

export const isPublished = (metric: string, endpoint: EndpointId | undefined): boolean =>
  endpoint === undefined || !ofLists.includes(metric) || lists.includes(endpoint);

export const publishedMetrics = customMetrics.filter(({ name, endpoint }) => isPublished(name, endpoint));

export const forCloudWatch = (points: readonly MetricPoint[]): MetricPoint[] =>
  points.filter(({ metric, endpoint }) => isPublished(metric, endpoint));
