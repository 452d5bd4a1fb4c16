// What on-call opens: the numbers first, then the alarms, each endpoint with the limits of its alarms, and the machinery.

import { CfnMapping, Duration, Stack } from "aws-cdk-lib";
import {
  Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
  type IWidget,
  MathExpression,
  SingleValueWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import { CfnQueryDefinition } from "aws-cdk-lib/aws-logs";
import { alarmTable, type Fault, listAlarms } from "../assess/alarms/alarm-table.ts";
import type { MetricName } from "../assess/metrics.ts";
import { alarmSettings } from "../config/assessment-settings.ts";
import { type EndpointId, endpointIds, idsOf } from "../contract/endpoints.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { type Alarms, metricFor } from "./alarms.ts";
import type { Functions, Parts } from "./functions.ts";
import type { WatchScope } from "./scope.ts";

const width = 24;
const day = Duration.days(1);

export function createDashboard(
  scope: WatchScope,
  parts: Parts,
  functions: Functions,
  alarms: Alarms,
): Dashboard {
  const dashboard = new Dashboard(scope, "Dashboard", {
    // With the region: dashboards belong to the whole account.
    dashboardName: `${scope.prefix}-${Stack.of(scope).region}`,
    defaultInterval: Duration.days(3),
  });
  dashboard.addWidgets(...numbers(scope));
  // By their names, so that the dashboard does not have to wait for them.
  const shown = Object.keys(alarms).map((name) =>
    Alarm.fromAlarmName(scope, `shown-${name}`, `${scope.prefix}-${name}`),
  );
  dashboard.addWidgets(new AlarmStatusWidget({ title: "Alarms", alarms: shown, width, height: 6 }));
  for (const endpoint of endpointIds) dashboard.addWidgets(...graphsOf(scope, parts, endpoint));
  dashboard.addWidgets(...graphsOf(scope, parts, undefined));
  dashboard.addWidgets(...health(scope));
  dashboard.addWidgets(...machinery(scope, parts, functions));
  storeQueries(scope, functions);
  return dashboard;
}

/** Over the last 24 hours, whatever range the reader has chosen. */
function numbers(scope: WatchScope): IWidget[] {
  const metric = (name: MetricName, statistic: string, endpoint?: EndpointId) =>
    metricFor(scope, { metric: name, endpoint, statistic, period: day });
  const share = (name: MetricName) =>
    endpointIds.map(
      (endpoint, index) =>
        new MathExpression({
          expression: `100 * m${index}`,
          usingMetrics: { [`m${index}`]: metric(name, "Average", endpoint) },
          label: endpoint,
          period: day,
        }),
    );
  const number = (title: string, columns: number, metrics: IMetric[]) =>
    new SingleValueWidget({
      title,
      metrics,
      width: columns,
      height: 4,
      start: "-PT24H",
      setPeriodToTimeRange: true,
      region: Stack.of(scope).region,
    });
  const newest = idsOf("list").map(
    (endpoint) =>
      new MathExpression({
        expression: "age / 3600",
        usingMetrics: { age: metric("RecordAgeSeconds", "Minimum", endpoint) },
        label: "hours",
        period: day,
      }),
  );
  return [
    number("Days to retirement", 3, [metric("DaysToRetirement", "Minimum").with({ label: "days" })]),
    number("Failed, % of 24 h", 6, share("RequestFailed")),
    number("401, % of 24 h", 6, share("Unauthorized")),
    number("Newest record", 4, newest),
    number("Open incidents", 5, [metric("OpenIncidents", "Maximum").with({ label: "in 24 h" })]),
  ];
}

const titles: Record<Fault, string> = {
  failures: "failed checks",
  "failure-rate": "failed checks",
  unauthorized: "401 responses",
  "unauthorized-rate": "401 responses",
  drift: "breaking drift",
  staleness: "newest record",
  latency: "latency",
  retirement: "Days to retirement",
  certificate: "Certificate days left",
};

/** What an alarm reads, and where it fires. */
function graphsOf(scope: WatchScope, { config }: Parts, endpoint: EndpointId | undefined): IWidget[] {
  const own = listAlarms(alarmTable(alarmSettings(config))).filter((alarm) => alarm.endpoint === endpoint);
  const shown = [...new Set(own.map(({ row }) => titles[row.fault]))];
  return shown.map((name) => {
    const drawn = own.filter(({ row }) => titles[row.fault] === name);
    const title = endpoint ? `${endpoint}: ${name}` : name;
    return graph(scope, {
      title,
      left: drawn.map(({ row }) => {
        const { statistic, periodSeconds } = row.drawn ?? row;
        const period = Duration.seconds(periodSeconds);
        return metricFor(scope, { metric: row.metric, endpoint, statistic, period }).with({ label: row.id });
      }),
      leftAnnotations: drawn.map(({ row }) => ({ value: (row.drawn ?? row).threshold, label: row.id })),
      width: Math.max(4, Math.floor(width / shown.length)),
    });
  });
}

/** Whether the watch works, by what it says of itself. */
function health(scope: WatchScope): IWidget[] {
  const hour = Duration.hours(1);
  const metric = (name: MetricName, statistic: string, label: string) =>
    metricFor(scope, { metric: name, endpoint: undefined, statistic, period: hour }).with({ label });
  const columns = width / 3;
  return [
    graph(scope, {
      title: "v1watch: completed assessments an hour",
      left: [metric("AssessmentCompleted", "Sum", "completed")],
      width: columns,
    }),
    graph(scope, {
      title: "v1watch: undelivered, unconfirmed",
      left: [
        metric("UndeliveredAlerts", "Maximum", "alerts not accepted"),
        metric("UnconfirmedSubscriptions", "Maximum", "subscriptions not confirmed"),
      ],
      width: columns,
    }),
    graph(scope, {
      title: "v1watch: requests left this month",
      left: [metric("BudgetLeft", "Minimum", "left")],
      width: columns,
    }),
  ];
}

/** Stored in Logs Insights, because people look for it when something is wrong. */
function storeQueries(scope: WatchScope, { probes }: Functions): void {
  new CfnQueryDefinition(scope, "LastChecks", {
    // Slashes make folders.
    name: `${scope.prefix}/the last checks`,
    logGroupNames: [...new Set(Object.values(probes).map(({ logGroup }) => logGroup.logGroupName))],
    queryString: [
      "fields @timestamp, message.endpoint, message.checks.0.variant, message.checks.0.outcome, message.checks.0.status, message.checks.0.ms, message.deferred",
      'filter message.event = "probed"',
      "sort @timestamp desc",
      "limit 100",
    ].join("\n| "),
  });
}

function machinery(scope: WatchScope, { store, notifications }: Parts, functions: Functions): IWidget[] {
  const five = { period: Duration.minutes(5) };
  const sum = { period: Duration.minutes(5), statistic: "Sum" };
  const all = [...Object.values(functions.probes), functions.assess, functions.report];
  const topics = [notifications.topic, notifications.watchTopic];
  const columns = width / 4;
  return [
    graph(scope, {
      title: "Lambda: errors, throttles",
      left: all.flatMap((each) => [each.metricErrors(sum), each.metricThrottles(sum)]),
      width: columns,
    }),
    graph(scope, {
      title: "Lambda: duration",
      left: all.map((each) => each.metricDuration({ ...five, statistic: "Maximum" })),
      width: columns,
    }),
    graph(scope, {
      title: "DynamoDB: use, throttles",
      left: [
        ...["ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits"],
        ...["ReadThrottleEvents", "WriteThrottleEvents"],
      ].map((name) => store.table.metric(name, sum)),
      width: columns,
    }),
    graph(scope, {
      title: "SNS: delivered, failed",
      left: topics.flatMap((topic) => [
        topic.metricNumberOfNotificationsDelivered(sum),
        topic.metricNumberOfNotificationsFailed(sum),
      ]),
      width: columns,
    }),
  ];
}

type Graph = Pick<GraphWidgetProps, "left" | "leftAnnotations"> & { title: string; width: number };

const graph = (scope: WatchScope, { title, left, leftAnnotations, width: columns }: Graph) =>
  new GraphWidget(
    omitUndefined<GraphWidgetProps>({
      title,
      left,
      leftAnnotations,
      leftYAxis: { showUnits: false },
      width: columns,
      height: 6,
      region: Stack.of(scope).region,
    }),
  );

const consoleHosts = {
  aws: { host: "console.aws.amazon.com" },
  "aws-cn": { host: "console.amazonaws.cn" },
  "aws-us-gov": { host: "console.amazonaws-us-gov.com" },
};

export function dashboardUrl(scope: WatchScope, { dashboardName }: Dashboard): string {
  const { region, partition } = Stack.of(scope);
  // Where the partition is known only at the deployment, CloudFormation looks it up.
  const host = new CfnMapping(scope, "Console", { mapping: consoleHosts, lazy: true }).findInMap(
    partition,
    "host",
  );
  return `https://${host}/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboardName}`;
}
