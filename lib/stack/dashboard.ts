// The list of metrics as a CloudWatch dashboard: the alarms, then every metric once.
import { Duration, type Stack } from "aws-cdk-lib";
import { Alarm, AlarmStatusWidget, Dashboard, GraphWidget, TextWidget } from "aws-cdk-lib/aws-cloudwatch";
import { customMetrics, type Metric as ListedMetric, metrics } from "../assess/metrics.ts";
import { alarmSettings, type Config } from "../config/config.ts";
import { type Alarms, metricFor } from "./alarms.ts";

const width = 24;
const columns = 3;

/** What one data point means decides how several are combined. */
function statisticOf({ name, unit }: ListedMetric): string {
  if (name === "RequestFailed" || name === "Unauthorized") return "Average";
  if (name === "RecordAgeSeconds") return "p50";
  if (name === "BreakingDrift" || name === "AdditiveDrift") return "Maximum";
  if (name === "OpenIncidents" || name === "UndeliveredAlerts") return "Maximum";
  if (name === "BudgetLeft") return "Minimum";
  return unit === "Count" ? "Sum" : unit === "Milliseconds" ? "p95" : "Minimum";
}

/** At least as long as the time between two data points, so that they form a line. */
function periodOf({ when }: ListedMetric, config: Config): Duration {
  if (when === "daily") return Duration.days(1);
  return Duration.seconds(Math.max(3_600, when === "check" ? alarmSettings(config).checkSeconds : 0));
}

function drawMetric(stack: Stack, config: Config, metric: ListedMetric): GraphWidget {
  const period = periodOf(metric, config);
  const statistic = statisticOf(metric);
  const lines = customMetrics
    .filter(({ name }) => name === metric.name)
    .map(({ name, ...target }) =>
      metricFor(stack, name, target, statistic, period).with({
        label: target.endpoint ?? target.function ?? name,
      }),
    );
  const note = metric.absent ? ` (no data: ${metric.absent})` : "";
  return new GraphWidget({
    title: `${metric.name}: ${metric.meaning}${note}`,
    left: lines,
    leftYAxis: { showUnits: false, ...(metric.name === "DaysToRetirement" ? {} : { min: 0 }) },
    width: width / columns,
    height: 6,
    region: stack.region,
  });
}

export function createDashboard(stack: Stack, config: Config, names: Alarms): Dashboard {
  const alarms = names.map((name) => Alarm.fromAlarmName(stack, `shown-${name}`, name));
  const dashboard = new Dashboard(stack, "Dashboard", {
    dashboardName: stack.stackName,
    defaultInterval: Duration.days(7),
  });
  dashboard.addWidgets(
    new TextWidget({
      markdown:
        "**v1watch** monitors V1. Every scheduled check publishes a data point, so the averages of RequestFailed and Unauthorized are rates. What each alarm means and what to do: docs/runbook.md.",
      width,
      height: 2,
    }),
  );
  dashboard.addWidgets(new AlarmStatusWidget({ title: "Alarms", alarms, width, height: 5 }));
  for (let from = 0; from < metrics.length; from += columns) {
    dashboard.addWidgets(
      ...metrics.slice(from, from + columns).map((metric) => drawMetric(stack, config, metric)),
    );
  }
  return dashboard;
}
