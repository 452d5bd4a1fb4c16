// The list of metrics as a CloudWatch dashboard: the alarms, then every metric once.

import { CfnCondition, Duration, Fn, Stack, Token } from "aws-cdk-lib";
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  Metric,
  TextWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import { customMetrics, type Metric as ListedMetric, metrics } from "../assess/metrics.ts";
import { alarmSettings } from "../config/assessment-settings.ts";
import { type Config, partitionOf } from "../config/config.ts";
import { type Alarms, metricFor } from "./alarms.ts";
import type { WatchScope } from "./scope.ts";

const width = 24;
const columns = 3;

/** At least as long as the time between two data points, so that they form a line. */
function periodOf({ when }: ListedMetric, config: Config): Duration {
  if (when === "daily") return Duration.days(1);
  return Duration.seconds(Math.max(3_600, when === "check" ? alarmSettings(config).checkSeconds : 0));
}

function drawMetric(scope: WatchScope, config: Config, metric: ListedMetric): GraphWidget {
  const period = periodOf(metric, config);
  const lines = customMetrics
    .filter(({ name }) => name === metric.name)
    .map(({ name, ...target }) =>
      metricFor(scope, { name, target, statistic: metric.statistic, period }).with({
        label: target.endpoint ?? name,
      }),
    );
  const note = metric.absent ? ` (no data: ${metric.absent})` : "";
  return new GraphWidget({
    title: `${metric.name}: ${metric.meaning}${note}`,
    left: lines,
    leftYAxis: { showUnits: false, ...(metric.name === "DaysToRetirement" ? {} : { min: 0 }) },
    width: width / columns,
    height: 6,
    region: Stack.of(scope).region,
  });
}

export function createDashboard(scope: WatchScope, config: Config, names: Alarms): Dashboard {
  const alarms = names.map((name) => Alarm.fromAlarmName(scope, `shown-${name}`, name));
  const dashboard = new Dashboard(scope, "Dashboard", {
    // With the region: dashboards belong to the whole account.
    dashboardName: `${scope.prefix}-${Stack.of(scope).region}`,
    defaultInterval: Duration.days(7),
  });
  dashboard.addWidgets(
    new TextWidget({
      markdown: `**v1watch** monitors V1. Every scheduled check publishes a data point, so the averages of RequestFailed and Unauthorized are rates. What each alarm means and what to do: ${scope.runbookUrl}.`,
      width,
      height: 2,
    }),
  );
  dashboard.addWidgets(new AlarmStatusWidget({ title: "Alarms", alarms, width, height: 5 }));
  for (let from = 0; from < metrics.length; from += columns) {
    dashboard.addWidgets(
      ...metrics.slice(from, from + columns).map((metric) => drawMetric(scope, config, metric)),
    );
  }
  if (config.aws.comparison) {
    const sumOf = (metricName: string) =>
      new Metric({ namespace: scope.namespace, metricName, statistic: "Sum", period: Duration.minutes(5) });
    dashboard.addWidgets(
      ...["ComparedPassports", "ComparisonRequests"].map(
        (name) =>
          new GraphWidget({
            title: `${name}: of the comparison in AWS, in 5 minutes`,
            left: [sumOf(name)],
            width: width / columns,
            height: 6,
            region: Stack.of(scope).region,
          }),
      ),
    );
  }
  return dashboard;
}

const consoleHosts: Record<string, string> = {
  aws: "console.aws.amazon.com",
  "aws-cn": "console.amazonaws.cn",
  "aws-us-gov": "console.amazonaws-us-gov.com",
};

/** Where the region is known only at the deployment, CloudFormation chooses the host by the partition. */
function consoleHost(scope: WatchScope): string {
  const stack = Stack.of(scope);
  const { region, partition } = stack;
  if (!Token.isUnresolved(region)) return consoleHosts[partitionOf(region)] ?? "";
  // One condition for all watches of a stack.
  const isIn = (id: string, name: string) =>
    (
      (stack.node.tryFindChild(id) as CfnCondition | undefined) ??
      new CfnCondition(stack, id, { expression: Fn.conditionEquals(partition, name) })
    ).logicalId;
  const china = isIn("V1WatchIsInChina", "aws-cn");
  const government = isIn("V1WatchIsInGovCloud", "aws-us-gov");
  const elsewhere = Fn.conditionIf(government, consoleHosts["aws-us-gov"], consoleHosts.aws);
  return Fn.conditionIf(china, consoleHosts["aws-cn"], elsewhere).toString();
}

export function dashboardUrl(scope: WatchScope, { dashboardName }: Dashboard): string {
  const { region } = Stack.of(scope);
  return `https://${consoleHost(scope)}/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboardName}`;
}
