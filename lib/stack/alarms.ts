// The alarm table as CloudWatch alarms, the alarms on lost events, and the two composite alarms that notify.

import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarmAction,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { IDependable } from "constructs";
import {
  type AlarmRow,
  type AlarmTarget,
  alarmTable,
  listAlarms,
  type Alarm as NamedAlarm,
} from "../assess/alarms/alarm-table.ts";
import type { MetricName } from "../assess/metrics.ts";
import { alarmSettings } from "../config/assessment-settings.ts";
import type { Config } from "../config/config.ts";
import type { Thresholds } from "../config/thresholds.ts";
import { omitUndefined } from "../omit-undefined.ts";
import type { Notifications } from "./notifications.ts";
import type { WatchScope } from "./scope.ts";

/** By the names they have in CloudWatch, composites first. */
export type Alarms = string[];

type Parts = {
  config: Config;
  notifications: Notifications;
  /** Where the events of failed runs go. */
  failed: Queue;
  schedules: readonly IDependable[];
  /** With aws.drill only. */
  drill: OwnAlarm | undefined;
};

export function createAlarms(
  scope: WatchScope,
  { config, notifications, failed, schedules, drill }: Parts,
): Alarms {
  const settings = alarmSettings(config);
  const table = alarmTable(settings);
  const named = listAlarms(table).map((alarm) => ({ ...alarm, construct: createAlarm(scope, alarm) }));
  const own = [
    ...createLossAlarms(scope, notifications, failed, settings.thresholds),
    ...(drill ? [drill] : []),
  ];
  // Missing heartbeats are an alarm, so there is something to run before there is an alarm.
  for (const { row, construct } of named)
    if (row.treatMissingData === "breaching") construct.node.addDependency(...schedules);

  const alarmsOf = (about: AlarmRow["about"]) =>
    named.filter(({ row }) => row.about === about).map(({ construct }) => construct);
  const silence = named
    .filter(({ row }) => row.id === "alerts-undelivered")
    .map(({ construct }) => construct);
  const toTopic = new SnsAction(notifications.topic);
  const actions: IAlarmAction[] = [
    toTopic,
    ...config.aws.selfAlarmActions.map((arn) => ({ bind: () => ({ alarmActionArn: arn }) })),
  ];

  // A composite notifies for the alarms below it: one message for one cause, and none for each alarm that
  // gets its first data after a deployment.
  const composites = [
    createComposite(scope, {
      id: "v1watch-unhealthy",
      description: `v1watch itself does not work: a function does not run or fails, or alerts are not delivered. See ${scope.runbookUrl}#silent`,
      rule: anyInAlarm([...alarmsOf("v1watch"), ...own.map(({ construct }) => construct)]),
      actions,
    }),
    createComposite(scope, {
      id: "alerting-broken",
      description: `V1 has a problem, and the assessment that would report it does not run or cannot deliver its alerts. See ${scope.runbookUrl}#silent`,
      rule: AlarmRule.allOf(anyInAlarm(alarmsOf("v1")), anyInAlarm(silence)),
      actions,
    }),
  ];
  if (config.aws.alarms.notify === "always")
    for (const alarm of alarmsOf("v1")) alarm.addAlarmAction(toTopic);
  return [...composites, ...[...named, ...own].map(({ name }) => name)].map(
    (name) => `${scope.prefix}-${name}`,
  );
}

const anyInAlarm = (alarms: readonly Alarm[]) =>
  AlarmRule.anyOf(...alarms.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM)));

type Composite = {
  id: string;
  description: string;
  rule: ReturnType<typeof AlarmRule.anyOf>;
  actions: IAlarmAction[];
};

function createComposite(scope: WatchScope, { id, description, rule, actions }: Composite): string {
  const composite = new CompositeAlarm(scope, id, {
    compositeAlarmName: `${scope.prefix}-${id}`,
    alarmDescription: description,
    alarmRule: rule,
  });
  composite.addAlarmAction(...actions);
  composite.addOkAction(...actions);
  return id;
}

function createAlarm(scope: WatchScope, { name, row, ...target }: NamedAlarm): Alarm {
  return new Alarm(scope, name, {
    alarmName: `${scope.prefix}-${name}`,
    alarmDescription: `${row.title}. ${row.meaning} See ${scope.runbookUrl}#${row.runbook}`,
    metric: metricFor(scope, {
      name: row.signal.metric,
      target: target,
      statistic: row.signal.statistic,
      period: Duration.seconds(row.periodSeconds),
    }),
    threshold: row.threshold,
    comparisonOperator: comparisons[row.comparisonOperator],
    evaluationPeriods: row.evaluationPeriods,
    datapointsToAlarm: row.datapointsToAlarm,
    treatMissingData: missing[row.treatMissingData],
  });
}

const comparisons: Record<AlarmRow["comparisonOperator"], ComparisonOperator> = {
  GreaterThanOrEqualToThreshold: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  GreaterThanThreshold: ComparisonOperator.GREATER_THAN_THRESHOLD,
  LessThanThreshold: ComparisonOperator.LESS_THAN_THRESHOLD,
  LessThanOrEqualToThreshold: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
};

const missing: Record<AlarmRow["treatMissingData"], TreatMissingData> = {
  missing: TreatMissingData.MISSING,
  ignore: TreatMissingData.IGNORE,
  breaching: TreatMissingData.BREACHING,
  notBreaching: TreatMissingData.NOT_BREACHING,
};

export function metricFor(
  scope: WatchScope,
  {
    name,
    target,
    statistic,
    period,
  }: { name: MetricName; target: AlarmTarget; statistic: string; period: Duration },
): Metric {
  return new Metric({
    namespace: scope.namespace,
    metricName: name,
    statistic,
    period,
    dimensionsMap: omitUndefined<Record<string, string>>({
      Endpoint: target.endpoint,
    }),
  });
}

export type OwnAlarm = { name: string; construct: Alarm };

/**
 * Both read how many messages a queue gets. The number of messages in it would keep an alarm until somebody
 * empties the queue.
 */
const createLossAlarms = (
  scope: WatchScope,
  { topic }: Notifications,
  failed: Queue,
  { lossPeriodMs }: Thresholds,
): OwnAlarm[] => [
  createLossAlarm(
    scope,
    "function-errors",
    `A function failed twice for the same event, or could not be started; the event is in the queue of failed runs. See ${scope.runbookUrl}#silent`,
    failed.metricNumberOfMessagesSent({ period: Duration.millis(lossPeriodMs), statistic: "Sum" }),
  ),
  createLossAlarm(
    scope,
    "delivery-failed",
    `A subscription did not accept a message; it is in the subscription's dead-letter queue. See ${scope.runbookUrl}#undelivered`,
    topic.metric("NumberOfNotificationsRedrivenToDlq", {
      period: Duration.millis(lossPeriodMs),
      statistic: "Sum",
    }),
  ),
];

const createLossAlarm = (scope: WatchScope, name: string, description: string, metric: Metric): OwnAlarm => ({
  name,
  construct: new Alarm(scope, name, {
    alarmName: `${scope.prefix}-${name}`,
    alarmDescription: description,
    metric,
    threshold: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    // SQS and SNS publish these metrics only while there is something to count.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  }),
});
