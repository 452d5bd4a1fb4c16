// The dashboard as CloudWatch reads it: each widget with its title, its lines and its thresholds.
import { ofType, type Resources } from "./synthesis.ts";

export type Line = {
  namespace: string | undefined;
  name: string | undefined;
  dimension: { Name: string; Value: string } | undefined;
  statistic: string;
  periodSeconds: number;
};
export type Widget = {
  title: string;
  view: string | undefined;
  start: string | undefined;
  setPeriodToTimeRange: boolean | undefined;
  lines: Line[];
  thresholds: number[];
};

/** The CDK leaves out what is CloudWatch's default. */
type Options = { stat?: string; period?: number };
type Properties = Partial<Pick<Widget, "title" | "view" | "start" | "setPeriodToTimeRange">> & {
  metrics?: unknown[][];
  annotations?: { horizontal?: { value: number }[] };
};

export function readDashboard(resources: Resources): Widget[] {
  const [dashboard] = ofType(resources, "AWS::CloudWatch::Dashboard");
  const parts = dashboard?.Properties.DashboardBody["Fn::Join"][1] as (string | object)[];
  const body = JSON.parse(parts.map((part) => (typeof part === "string" ? part : "x")).join(""));
  return (body.widgets as { properties: Properties }[]).map(({ properties }) => ({
    title: properties.title ?? "",
    view: properties.view,
    start: properties.start,
    setPeriodToTimeRange: properties.setPeriodToTimeRange,
    lines: (properties.metrics ?? []).map(readLine),
    thresholds: (properties.annotations?.horizontal ?? []).map(({ value }) => value),
  }));
}

/** `[namespace, name, dimension, value, options]`, or `[options]` for an expression. */
function readLine(metric: unknown[]): Line {
  const { stat = "Average", period = 300 } = metric.at(-1) as Options;
  const [namespace, name, dimension, value] = metric.filter((part) => typeof part === "string");
  return {
    namespace,
    name,
    statistic: stat,
    periodSeconds: period,
    dimension: dimension === undefined ? undefined : { Name: dimension, Value: String(value) },
  };
}
