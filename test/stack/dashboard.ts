// The dashboard as CloudWatch reads it: each graph with its title and its lines.
import { ofType, type Resources } from "./synthesis.ts";

export type Line = {
  namespace: string;
  name: string;
  dimension?: { Name: string; Value: string };
  statistic: string;
  periodSeconds: number;
};
export type Widget = { title: string; lines: Line[] };

/** The CDK leaves out what is CloudWatch's default. */
type Options = { stat?: string; period?: number };
type Metric = [string, string, ...unknown[], Options];

export function readDashboard(resources: Resources): Widget[] {
  const [dashboard] = ofType(resources, "AWS::CloudWatch::Dashboard");
  const parts = dashboard?.Properties.DashboardBody["Fn::Join"][1] as (string | object)[];
  const body = JSON.parse(parts.map((part) => (typeof part === "string" ? part : "x")).join(""));
  const graphs = body.widgets as { properties: { title?: string; metrics?: Metric[] } }[];
  return graphs.flatMap(({ properties: { title = "", metrics } }) =>
    metrics ? [{ title, lines: metrics.map(readLine) }] : [],
  );
}

function readLine([namespace, name, ...rest]: Metric): Line {
  const { stat = "Average", period = 300 } = rest.at(-1) as Options;
  const [dimension, value] = rest.slice(0, -1) as string[];
  return {
    namespace,
    name,
    statistic: stat,
    periodSeconds: period,
    ...(dimension && { dimension: { Name: dimension, Value: String(value) } }),
  };
}
