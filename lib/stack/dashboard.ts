// The catalogue of metrics as a page of CloudWatch: every metric once, and the alarms above them.
import { Duration, type Stack } from "aws-cdk-lib";
import { Alarm, AlarmStatusWidget, Dashboard, GraphWidget, TextWidget } from "aws-cdk-lib/aws-cloudwatch";
import { type Metric as CatalogueMetric, metrics } from "../assess/metrics.ts";
import { alarmSettings, type Config } from "../config/config.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { type Alarms, metricFor } from "./alarms.ts";

const width = 24;
const columns = 3;

/** What one point stands for decides how points are put together. */
function statisticOf({ name, unit }: CatalogueMetric): string {
  if (name === "RequestFailed" || name === "Unauthorized") return "Average";
  if (name === "RecordAgeSeconds") return "p50";
  if (name === "ProbersAlive" || name === "BudgetLeft") return "Minimum";
  if (name === "OpenIncidents" || name === "UndeliveredAlerts") return "Maximum";
  return unit === "Count" ? "Sum" : unit === "Milliseconds" ? "p95" : "Minimum";
}

/** As often as it is told, so that its points become a line. */
function periodOf({ when }: CatalogueMetric, config: Config): Duration {
  if (when === "daily") return Duration.days(1);
  const { sampledSeconds } = alarmSettings(config);
  return when === "sampled" ? Duration.seconds(Math.max(3_600, sampledSeconds)) : Duration.hours(1);
}

function drawMetric(stack: Stack, config: Config, metric: CatalogueMetric): GraphWidget {
  const period = periodOf(metric, config);
  const statistic = statisticOf(metric);
  const lines = (metric.perEndpoint ? endpointIds : [undefined]).map((endpoint) =>
    metricFor(stack, metric.name, endpoint, statistic, period).with({ label: endpoint ?? metric.name }),
  );
  return new GraphWidget({
    title: `${metric.name}: ${metric.meaning}`,
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
        "**v1watch** watches V1 until you can leave it. What an alarm means and what to do: docs/runbook.md. Failures, 401s and drift are drawn only in trouble: no data is good.",
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
