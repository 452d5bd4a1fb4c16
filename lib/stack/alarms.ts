// The alarm table as CloudWatch alarms, the alarms of the functions and queues, and the two composite alarms that notify.
import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarmAction,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import {
  type AlarmRow,
  type AlarmTarget,
  alarmTable,
  listAlarms,
  type Alarm as NamedAlarm,
  renderFill,
} from "../assess/alarms/alarm-table.ts";
import type { MetricName } from "../assess/metrics.ts";
import { alarmSettings, type Config } from "../config/config.ts";
import type { Functions } from "./functions.ts";
import type { Notifications } from "./notifications.ts";
import type { WatchScope } from "./scope.ts";

/** By the names they have in CloudWatch, composites first. */
export type Alarms = string[];

export function createAlarms(
  scope: WatchScope,
  config: Config,
  notifications: Notifications,
  functions: Functions,
): Alarms {
  const table = alarmTable(alarmSettings(config));
  const named = listAlarms(table).map((alarm) => ({ ...alarm, construct: createAlarm(scope, alarm) }));
  const own = [...createFunctionAlarms(scope, functions), ...createQueueAlarms(scope, notifications)];
  const isSilent = named.filter(
    ({ row, function: name }) => row.id === "alerts-undelivered" || name === "assess",
  );
  const aboutV1 = named.filter(({ row }) => row.about === "v1").map(({ construct }) => construct);
  const aboutOurselves = [
    ...named.filter(({ row }) => row.about === "v1watch").map(({ construct }) => construct),
    ...own.map(({ construct }) => construct),
  ];
  const notify: IAlarmAction[] = [
    new SnsAction(notifications.topic),
    ...config.aws.selfAlarmActions.map((arn) => ({ bind: () => ({ alarmActionArn: arn }) })),
  ];

  // A composite notifies for the alarms below it: one message for one cause, and none for each alarm that
  // gets its first data after a deployment.
  const unhealthy = createComposite(scope, {
    id: "v1watch-unhealthy",
    description: `v1watch itself does not work: a function does not run or fails, or alerts are not delivered. See ${scope.runbookUrl}#silent`,
    rule: AlarmRule.anyOf(...aboutOurselves.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM))),
    actions: notify,
  });
  const broken = createComposite(scope, {
    id: "alerting-broken",
    description: `V1 has a problem, and the assessment that would report it does not run or cannot deliver its alerts. See ${scope.runbookUrl}#silent`,
    rule: AlarmRule.allOf(
      AlarmRule.anyOf(...aboutV1.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM))),
      AlarmRule.anyOf(...isSilent.map(({ construct }) => AlarmRule.fromAlarm(construct, AlarmState.ALARM))),
    ),
    actions: notify,
  });
  if (config.aws.alarms.notify === "always") for (const alarm of aboutV1) alarm.addAlarmAction(...notify);
  return [
    ...[unhealthy, broken].map((id) => `${scope.prefix}-${id}`),
    ...[...named, ...own].map(({ name }) => `${scope.prefix}-${name}`),
  ];
}

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
    metric: metricOfRow(scope, row, target),
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

function metricOfRow(
  scope: WatchScope,
  { id, signal, periodSeconds }: AlarmRow,
  target: AlarmTarget,
): IMetric {
  const period = Duration.seconds(periodSeconds);
  const m1 = metricFor(scope, signal.metric, target, signal.statistic, period);
  const expression = renderFill(signal);
  return expression === undefined
    ? m1
    : new MathExpression({ expression, usingMetrics: { m1 }, period, label: id });
}

export function metricFor(
  scope: WatchScope,
  name: MetricName,
  target: AlarmTarget,
  statistic: string,
  period: Duration,
): Metric {
  const dimensions = {
    ...(target.endpoint && { Endpoint: target.endpoint }),
    ...(target.function && { Function: target.function }),
  };
  return new Metric({
    namespace: scope.namespace,
    metricName: name,
    statistic,
    period,
    ...(Object.keys(dimensions).length > 0 && { dimensionsMap: dimensions }),
  });
}

type OwnAlarm = { name: string; construct: Alarm };

const createOwnAlarm = (
  scope: WatchScope,
  name: string,
  description: string,
  metric: Metric,
  threshold: number,
) => ({
  name,
  construct: new Alarm(scope, name, {
    alarmName: `${scope.prefix}-${name}`,
    alarmDescription: description,
    metric,
    threshold,
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    // Lambda and SNS publish these metrics only while there is something to count.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  }),
});

/** A single error is retried; three in an hour are a fault. */
const errorsInAnHour = 3;

const createFunctionAlarms = (scope: WatchScope, { probes, assess, report }: Functions): OwnAlarm[] =>
  Object.entries({ ...prefixed(probes), assess, report }).map(([id, each]) =>
    createOwnAlarm(
      scope,
      `function-errors-${id}`,
      `The function ${id} failed ${errorsInAnHour} times or more in an hour. See ${scope.runbookUrl}#silent`,
      each.metricErrors({ period: Duration.hours(1), statistic: "Sum" }),
      errorsInAnHour,
    ),
  );

const prefixed = (probes: Functions["probes"]) =>
  Object.fromEntries(Object.entries(probes).map(([endpoint, each]) => [`probe-${endpoint}`, each]));

/** By SNS's count of failures and not by the depth of a queue, which would stay until somebody empties it. */
const createQueueAlarms = (scope: WatchScope, { topic }: Notifications): OwnAlarm[] => [
  createOwnAlarm(
    scope,
    "delivery-failed",
    `A subscription did not accept a message; it is kept in the subscription's dead-letter queue. See ${scope.runbookUrl}#undelivered`,
    topic.metricNumberOfNotificationsFailed({ period: Duration.hours(1), statistic: "Sum" }),
    1,
  ),
];
