// The alarms in two layers. About V1: the alarm table, which needs nothing but the probers; about the watch itself: do its
// functions run, does the assessment complete, do messages arrive. Which of them notify is decided at the end.

import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  type AlarmProps,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type CompositeAlarmProps,
  type IAlarm,
  type IAlarmAction,
  type IMetric,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import type { IDependable } from "constructs";
import {
  type AlarmRow,
  alarmTable,
  clocksDiffer,
  faults,
  listAlarms,
  listFallbacks,
  type NamedAlarm,
} from "../assess/alarms/alarm-table.ts";
import type { MetricName } from "../assess/metrics.ts";
import { tableShape } from "../aws/table-shape.ts";
import { alarmSettings, assessmentSettings } from "../config/assessment-settings.ts";
import { type Config, durationMs } from "../config/config.ts";
import { thresholds } from "../config/thresholds.ts";
import { tickMs } from "../config/tick.ts";
import { type EndpointId, endpointIds } from "../contract/endpoints.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { capitalise } from "../text.ts";
import { dayMs, describeDuration, hourMs, minuteMs } from "../time.ts";
import type { Functions } from "./functions.ts";
import type { Notifications } from "./notifications.ts";
import type { WatchScope } from "./scope.ts";

/** By the name without the watch's prefix: `slow-passport-list`, `v1watch-unhealthy`. */
export type Alarms = Record<string, Alarm | CompositeAlarm>;

export type AlarmParts = {
  config: Config;
  functions: Functions;
  table: ITable;
  notifications: Notifications;
  /** Where the events of lost runs go. */
  failed: Queue;
  schedules: readonly IDependable[];
  /** Undefined without aws.drill. */
  drillQueue: Queue | undefined;
};

/** An alarm that notifies, and whether it notifies of its end, too. */
export type Notifying = { alarm: Alarm | CompositeAlarm; tellsEnd: boolean };

export function createAlarms(
  scope: WatchScope,
  parts: AlarmParts,
): { alarms: Alarms; notifying: readonly Notifying[] } {
  const aboutV1 = listAlarms(alarmTable(alarmSettings(parts.config))).map((alarm) => ({
    ...alarm,
    construct: createV1Alarm(scope, alarm),
  }));
  const aboutWatch = Object.fromEntries(
    listWatchAlarms(parts).map((alarm) => [alarm.name, createWatchAlarm(scope, alarm, parts.schedules)]),
  );
  const clocks = createClockAlarm(scope, parts);
  const composites = createComposites(scope, parts, aboutV1, aboutWatch);
  const ofV1 = parts.config.aws.alarms.notify === "always" ? aboutV1.map(({ construct }) => construct) : [];
  const notifying = [...Object.values(composites), ...ofV1].map((alarm) => ({ alarm, tellsEnd: true }));
  return {
    alarms: {
      ...composites,
      ...Object.fromEntries(aboutV1.map(({ name, construct }) => [name, construct])),
      ...aboutWatch,
      [clockAlarm]: clocks,
    },
    notifying: [...notifying, { alarm: clocks, tellsEnd: false }],
  };
}

// ------------------------------------------------------------------------------------------------ about V1
function createV1Alarm(scope: WatchScope, { name, row, endpoint }: NamedAlarm): Alarm {
  const { metric, statistic, periodSeconds } = row;
  return createAlarm(scope, {
    name,
    meaning: `${capitalise(faults[row.fault])}. ${row.meaning}`,
    action: row.action,
    runbook: row.runbook,
    metric: metricFor(scope, { metric, endpoint, statistic, period: Duration.seconds(periodSeconds) }),
    threshold: row.threshold,
    comparison: row.comparisonOperator,
    periods: row.evaluationPeriods,
    badPeriods: row.badPeriods,
    missing: row.treatMissingData,
  });
}

export type MetricChoice = {
  metric: MetricName;
  endpoint: EndpointId | undefined;
  statistic: string;
  period: Duration;
};

export function metricFor(scope: WatchScope, { metric, endpoint, statistic, period }: MetricChoice): Metric {
  return new Metric({
    namespace: scope.namespace,
    metricName: metric,
    statistic,
    period,
    dimensionsMap: omitUndefined<Record<string, string>>({ Endpoint: endpoint }),
  });
}

// --------------------------------------------------------------------------------------- about the watch itself
type WatchAlarm = {
  name: string;
  meaning: string;
  action: string;
  runbook: "silent" | "undelivered";
  metric(scope: WatchScope): IMetric;
  threshold: number;
  comparison: AlarmRow["comparisonOperator"];
  periods: number;
  /** So many of them breach; all where it is absent. */
  badPeriods?: number | undefined;
  missing: AlarmRow["treatMissingData"];
};

const atLeast = { comparison: "GreaterThanOrEqualToThreshold", periods: 1, missing: "notBreaching" } as const;

/**
 * A missing data point of the last minutes breaches. Periods of one minute, because CloudWatch looks back by two periods
 * more than it was told where some are empty.
 */
const nothingFor = (ms: number, periodMs = minuteMs) =>
  ({
    threshold: 1,
    comparison: "LessThanThreshold",
    periods: Math.ceil(ms / periodMs),
    missing: "breaching",
  }) as const;

const sumOver = (ms: number) => ({ statistic: "Sum", period: Duration.millis(ms) });

function listWatchAlarms({
  config,
  functions,
  table,
  notifications,
  failed,
  drillQueue,
}: AlarmParts): WatchAlarm[] {
  const limits = thresholds;
  const checkMs = alarmSettings(config).checkSeconds * 1_000;
  const probers = endpointIds.map((id) => ({ name: `probe-${id}`, target: functions.probes[id] }));
  const running = [...probers, { name: "assess", target: functions.assess }];
  const notRunningMs = Math.max(limits.notRunningMs, 3 * tickMs(config));
  const assessmentMs = Math.max(limits.assessmentMissingMs, 3 * durationMs(config.aws.assessEvery));
  const errorsMs = Math.min(24 * 60 * minuteMs, Math.max(limits.functionErrorsMs, 3 * checkMs));
  const { silentAfterMs } = assessmentSettings(config);
  // CloudWatch takes periods of less than an hour for a day at the most.
  const silentPeriodMs = silentAfterMs > dayMs ? hourMs : 5 * minuteMs;
  const logs =
    "Read its log of the last two hours in CloudWatch: errors, a timeout, missing permissions? Then look whether its schedule is enabled. After a deployment, compare with the version before.";
  return [
    ...probers.map(
      ({ name, target }): WatchAlarm => ({
        name: `not-running-${name}`,
        meaning: `The function has not been started for ${describeDuration(notRunningMs / 1_000)}: V1's state is unknown, not good.`,
        action:
          "In the console of EventBridge Scheduler look whether its schedule is enabled and may start the function; in Lambda, whether the function is throttled. Until it runs, check V1 yourself.",
        runbook: "silent",
        metric: () => target.metricInvocations(sumOver(minuteMs)),
        ...nothingFor(notRunningMs),
      }),
    ),
    ...endpointIds.map(
      (endpoint): WatchAlarm => ({
        name: `checks-nothing-probe-${endpoint}`,
        meaning: `No check of V1 has said anything about it for ${describeDuration(silentAfterMs / 1_000)}, whether or not the function runs: V1's state is unknown, not good.`,
        action:
          "Read its log: is there a key that it may read and decrypt, a passport to request, any of the month's budget left, and is V1's address a public one? Does V1 answer 429 or ask to wait?",
        runbook: "silent",
        metric: (scope) =>
          metricFor(scope, {
            metric: "RequestFailed",
            endpoint,
            statistic: "SampleCount",
            period: Duration.millis(silentPeriodMs),
          }),
        ...nothingFor(silentAfterMs, silentPeriodMs),
      }),
    ),
    ...running.map(
      ({ name, target }): WatchAlarm => ({
        name: `errors-${name}`,
        meaning: `The function failed ${limits.functionErrors} times or more in ${describeDuration(errorsMs / 1_000)}: two runs were lost.`,
        action: logs,
        runbook: "silent",
        metric: () => target.metricErrors(sumOver(errorsMs)),
        threshold: limits.functionErrors,
        ...atLeast,
      }),
    ),
    ...running.map(
      ({ name, target }): WatchAlarm => ({
        name: `throttles-${name}`,
        meaning: `Lambda refused to start the function ${limits.throttledCalls} times or more in ${describeDuration(limits.throttledMs / 1_000)}.`,
        action:
          "The account's concurrency is used up. Find by what in the metric ConcurrentExecutions of Lambda, and stop or limit it, or ask for a higher quota in Service Quotas.",
        runbook: "silent",
        metric: () => target.metricThrottles(sumOver(limits.throttledMs)),
        threshold: limits.throttledCalls,
        ...atLeast,
      }),
    ),
    ...(["Read", "Write"] as const).map(
      (verb): WatchAlarm => ({
        name: `table-throttles-${verb.toLowerCase()}s`,
        meaning: `DynamoDB refused ${limits.throttledCalls} ${verb.toLowerCase()}s of the table or more in ${describeDuration(limits.throttledMs / 1_000)}.`,
        action:
          "Look in DynamoDB who uses the table besides v1watch, and at the account's quotas of tables in Service Quotas. The watch repeats what was refused; if this lasts, checks are missing.",
        runbook: "silent",
        metric: () => table.metric(`${verb}ThrottleEvents`, sumOver(limits.throttledMs)),
        threshold: limits.throttledCalls,
        ...atLeast,
      }),
    ),
    // What an index refuses holds up the table's writes, and is counted under the index only. A read that it refuses fails the run.
    ...Object.values(tableShape.indexes).map(
      ({ name }): WatchAlarm => ({
        name: `index-throttles-${name}`,
        meaning: `DynamoDB refused ${limits.throttledCalls} writes or more in ${describeDuration(limits.throttledMs / 1_000)} because of the table's index ${name}.`,
        action:
          "Look in DynamoDB at the index's graphs and at the account's quotas of tables in Service Quotas. The watch repeats what was refused; if this lasts, checks and alerts are late.",
        runbook: "silent",
        metric: () =>
          table.metric("WriteThrottleEvents", {
            ...sumOver(limits.throttledMs),
            dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: name },
          }),
        threshold: limits.throttledCalls,
        ...atLeast,
      }),
    ),
    {
      name: "assessment-incomplete",
      meaning: `For ${describeDuration(assessmentMs / 1_000)} no run of the assessment caught up with all checks without a failing rule.`,
      action:
        "Read the log of the function assess: an exception, a timeout, a rule that failed? Until it completes nobody judges the checks, and only the alarms on the dashboard are current.",
      runbook: "silent",
      metric: (scope) =>
        metricFor(scope, {
          metric: "AssessmentCompleted",
          endpoint: undefined,
          statistic: "Sum",
          period: Duration.millis(minuteMs),
        }),
      ...nothingFor(assessmentMs),
    },
    {
      name: "alerts-undelivered",
      meaning: `For ${describeDuration(limits.undeliveredForMs / 1_000)} SNS has not accepted all alerts.`,
      action:
        "Run `v1watch incidents --table NAME`, and tell people yourself what it shows. Then repair the topic, its policy or its key's policy: the log of the function assess has what SNS answers.",
      runbook: "undelivered",
      metric: (scope) =>
        metricFor(scope, {
          metric: "UndeliveredAlerts",
          endpoint: undefined,
          statistic: "Minimum",
          period: Duration.minutes(Math.ceil(limits.undeliveredForMs / 2 / minuteMs)),
        }),
      threshold: 1,
      ...atLeast,
      periods: 2,
    },
    {
      name: "lost-runs",
      meaning: "A report failed twice or could not be started.",
      action:
        "The reason is in the log of the function report. Its event waits in the queue of failed runs for two weeks; nobody repeats it. Run `v1watch report --table NAME` for the report itself.",
      runbook: "silent",
      metric: () => failed.metricNumberOfMessagesSent(sumOver(limits.lossPeriodMs)),
      threshold: 1,
      ...atLeast,
    },
    ...deliveryAlarms(notifications),
    ...(drillQueue ? [drillAlarm(drillQueue)] : []),
  ];
}

const deliveryAlarms = ({ topic, watchTopic }: Notifications): WatchAlarm[] =>
  [
    { name: "delivery-failed", of: topic, what: "an alert" },
    { name: "delivery-failed-watch", of: watchTopic, what: "an alarm" },
  ].map(({ name, of, what }: { name: string; of: ITopic; what: string }) => ({
    name,
    meaning: `A subscription did not accept ${what}; it is in the subscription's dead-letter queue.`,
    action:
      "Read the message in that queue and tell people what it says. Then repair the subscription: does its endpoint exist, and may the topic send to it? Remove one that nobody needs.",
    runbook: "undelivered",
    metric: () => of.metric("NumberOfNotificationsRedrivenToDlq", sumOver(thresholds.lossPeriodMs)),
    threshold: 1,
    ...atLeast,
  }));

const drillAlarm = (queue: Queue): WatchAlarm => ({
  name: "drill-lost",
  meaning: `No test event arrived in ${thresholds.drillLostDays} days: alerts may not arrive either.`,
  action:
    "Send one with `v1watch notify --drill --table NAME`, and look in the log of the function assess whether SNS accepted it; then at the subscriptions of the topic: are they confirmed?",
  runbook: "undelivered",
  metric: () => queue.metricNumberOfMessagesSent(sumOver(24 * 60 * minuteMs)),
  threshold: 1,
  comparison: "LessThanThreshold",
  periods: thresholds.drillLostDays,
  missing: "breaching",
});

function createWatchAlarm(scope: WatchScope, alarm: WatchAlarm, schedules: readonly IDependable[]): Alarm {
  const construct = createAlarm(scope, { ...alarm, metric: alarm.metric(scope) });
  // Missing data is an alarm, so there is something to run before there is an alarm.
  if (alarm.missing === "breaching") construct.node.addDependency(...schedules);
  return construct;
}

const clockAlarm = "clocks-differ";

/**
 * By itself and not through v1watch-unhealthy, which it would hold for as long as V1's clock is wrong. Only its beginning: an end
 * would also be told after the first deployment.
 */
function createClockAlarm(scope: WatchScope, { config, notifications }: AlarmParts): Alarm {
  const limitSeconds = durationMs(config.staleness.maxSkew) / 1_000;
  const seconds = Math.min(24 * 3_600, Math.max(1_800, alarmSettings(config).checkSeconds));
  const alarm = createAlarm(scope, {
    name: clockAlarm,
    meaning: `The clocks of V1 and of the watch differ by more than ${describeDuration(limitSeconds)} in every check of ${describeDuration(seconds)}: ${clocksDiffer.consequence}, so stale data is not noticed.`,
    action: clocksDiffer.action,
    runbook: "monitor",
    metric: metricFor(scope, {
      metric: "ClockSkewSeconds",
      endpoint: undefined,
      // Every check of the period.
      statistic: "Minimum",
      period: Duration.seconds(seconds),
    }),
    threshold: limitSeconds,
    comparison: "GreaterThanThreshold",
    periods: 1,
    missing: "ignore",
    isEnabled: config.aws.enabled,
  });
  alarm.addAlarmAction(new SnsAction(notifications.watchTopic));
  return alarm;
}

// ------------------------------------------------------------------------------------------------ all of them
type Described = Omit<WatchAlarm, "metric" | "runbook"> & {
  metric: IMetric;
  runbook: string;
  /** False: its actions are not called. */
  isEnabled?: boolean;
};

function createAlarm(scope: WatchScope, alarm: Described): Alarm {
  const props = omitUndefined<AlarmProps>({
    alarmName: `${scope.prefix}-${alarm.name}`,
    alarmDescription: describe(scope, alarm),
    metric: alarm.metric,
    threshold: alarm.threshold,
    comparisonOperator: comparisons[alarm.comparison],
    evaluationPeriods: alarm.periods,
    datapointsToAlarm: alarm.badPeriods ?? alarm.periods,
    treatMissingData: missing[alarm.missing],
    actionsEnabled: alarm.isEnabled,
  });
  return new Alarm(scope, alarm.name, props);
}

type Text = { meaning: string; action: string; runbook: string };

/** With what to do: a reader may not have the runbook, and nobody on call can open a path of this repository. */
const describe = ({ runbookUrl }: WatchScope, { meaning, action, runbook }: Text) =>
  `${meaning} What to do: ${action}${runbookUrl === undefined ? "" : ` See ${runbookUrl}#${runbook}`}`;

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

// -------------------------------------------------------------------------------------------- which of them notify
type V1Alarm = NamedAlarm & { construct: Alarm };

/** Each one of these breaks the chain from a check to a message. */
const brokenBy = ["assessment-incomplete", "errors-assess", "alerts-undelivered"];

/** A composite notifies for the alarms below it: one message for one cause. */
function createComposites(
  scope: WatchScope,
  { config, notifications }: AlarmParts,
  aboutV1: readonly V1Alarm[],
  aboutWatch: Record<string, Alarm>,
): Record<string, CompositeAlarm> {
  const { notify } = config.aws.alarms;
  const configured = config.aws.selfAlarmActions.map((arn) => ({ bind: () => ({ alarmActionArn: arn }) }));
  const watchTopic = new SnsAction(notifications.watchTopic);
  // People who subscribed to alerts about V1 only get its alarms as well.
  const bothTopics: IAlarmAction[] = [new SnsAction(notifications.topic), watchTopic];
  const createComposite = (composite: Composite) => createCompositeAlarm(scope, config, composite);

  const unhealthy = createComposite({
    name: "v1watch-unhealthy",
    meaning:
      "v1watch itself does not work: V1 is not checked, the checks are not assessed, or alerts do not arrive.",
    action:
      "Open the dashboard, or the list of alarms in CloudWatch: one of the alarms about the watch fires, and its text says what to do. Until it is repaired, check V1 yourself.",
    runbook: "silent",
    rule: anyInAlarm(Object.values(aboutWatch)),
    actions: [watchTopic, ...configured],
  });
  if (notify === "always") {
    for (const { construct } of aboutV1) {
      construct.addAlarmAction(...bothTopics);
      construct.addOkAction(...bothTopics);
    }
  }
  if (notify !== "fallback") return { "v1watch-unhealthy": unhealthy };

  const isBroken = anyInAlarm(brokenBy.flatMap((name) => aboutWatch[name] ?? []));
  const composites: Record<string, CompositeAlarm> = {};
  for (const { kind, what, faults: kinds, after } of listFallbacks(aboutV1.map(({ row }) => row))) {
    const name = `fallback-${kind}`;
    const own = aboutV1.filter(({ row }) => kinds.includes(row.fault));
    composites[name] = createComposite({
      name,
      meaning: `${what}, and the assessment that would report it is broken.`,
      action:
        "Open the dashboard, or the list of alarms in CloudWatch: the alarm about V1 that fires says in its text which endpoint it is and what to do. Then repair the assessment, by the text of its alarm.",
      runbook: "silent",
      rule: AlarmRule.allOf(anyInAlarm(own.map(({ construct }) => construct)), isBroken),
      actions: [...bothTopics, ...configured],
      suppressedBy: after === undefined ? undefined : composites[`fallback-${after}`],
    });
  }
  return { "v1watch-unhealthy": unhealthy, ...composites };
}

const anyInAlarm = (alarms: readonly IAlarm[]) =>
  AlarmRule.anyOf(...alarms.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM)));

type Composite = Text & {
  name: string;
  rule: ReturnType<typeof AlarmRule.anyOf>;
  actions: readonly IAlarmAction[];
  /** While it is in ALARM, and for as long as its checks are in the rate of a day, this one notifies nobody. */
  suppressedBy?: CompositeAlarm | undefined;
};

function createCompositeAlarm(scope: WatchScope, { aws }: Config, composite: Composite): CompositeAlarm {
  const { name, rule, actions, suppressedBy } = composite;
  const props = omitUndefined<CompositeAlarmProps>({
    compositeAlarmName: `${scope.prefix}-${name}`,
    alarmDescription: describe(scope, composite),
    alarmRule: rule,
    // A watch that was paused is silent on purpose.
    actionsEnabled: aws.enabled,
    actionsSuppressor: suppressedBy,
    actionsSuppressorWaitPeriod: suppressedBy && Duration.minutes(2),
    actionsSuppressorExtensionPeriod: suppressedBy && Duration.days(1),
  });
  const alarm = new CompositeAlarm(scope, name, props);
  if (actions.length > 0) {
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
  }
  return alarm;
}
