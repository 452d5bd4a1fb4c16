// When what runs: EventBridge Scheduler, in UTC, with one role that may start our functions and no other.

import { ArnFormat, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { CfnSchedule, CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import { Subscription, SubscriptionFilter, SubscriptionProtocol } from "aws-cdk-lib/aws-sns";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { type Config, durationMs } from "../config/config.ts";
import { thresholds } from "../config/thresholds.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { minuteMs } from "../time.ts";
import type { OwnAlarm } from "./alarms.ts";
import type { Functions } from "./functions.ts";
import type { Notifications } from "./notifications.ts";
import { acknowledge, tickMs, type WatchScope } from "./scope.ts";

/** A repeated event carries the instant it was scheduled for, so it is recognised. */
const tick = "<aws.scheduler.scheduled-time>";

const rate = (ms: number) => {
  const minutes = ms / minuteMs;
  return `rate(${minutes} ${minutes === 1 ? "minute" : "minutes"})`;
};

/** By the clock: a rate begins when its schedule is made, and the probers would never share a tick. */
const everyMinutes = (ms: number) => `cron(${ms === minuteMs ? "*" : `0/${ms / minuteMs}`} * * * ? *)`;

const reportTimes = { daily: "cron(10 6 * * ? *)", weekly: "cron(10 6 ? * MON *)" } as const;

type Plan = {
  name: string;
  target: LambdaFunction;
  expression: string;
  /** Runs are spread over this many minutes, so that requests do not all start at the full hour. */
  windowMinutes: number;
  input?: Record<string, unknown>;
};

export function createSchedules(
  scope: WatchScope,
  config: Config,
  functions: Functions,
  failed: Queue,
): CfnSchedule[] {
  const stack = Stack.of(scope);
  const probeMs = tickMs(config);
  const assessMs = durationMs(config.aws.assessEvery);
  // A window as long as the interval may swap two runs: the later tick sends the requests, and the earlier finds nothing due.
  const spread = (everyMs: number) => Math.min(5, Math.max(1, Math.floor(everyMs / minuteMs / 5)));
  const plans: Plan[] = [
    ...endpointIds.map((endpoint) => ({
      name: `probe-${endpoint}`,
      target: functions.probes[endpoint],
      expression: everyMinutes(probeMs),
      windowMinutes: spread(probeMs),
    })),
    {
      name: "assess",
      target: functions.assess,
      expression: rate(assessMs),
      windowMinutes: spread(assessMs),
    },
    {
      name: "report",
      target: functions.report,
      expression: reportTimes[config.aws.report],
      windowMinutes: 60,
    },
    ...(config.aws.drill
      ? [
          {
            name: "drill",
            target: functions.assess,
            expression: "rate(6 days)",
            windowMinutes: 5,
            input: { drill: true },
          },
        ]
      : []),
  ];

  const group = new CfnScheduleGroup(scope, "Schedules", { name: scope.prefix });
  const groupArn = stack.formatArn({
    service: "scheduler",
    resource: "schedule-group",
    resourceName: scope.prefix,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });
  const targets = [...new Set(plans.map(({ target }) => target.functionArn))];
  const role = new Role(scope, "ScheduleRole", {
    // Only for our own schedules: nobody else's may borrow the role.
    assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
      conditions: { StringEquals: { "aws:SourceAccount": stack.account, "aws:SourceArn": groupArn } },
    }),
    inlinePolicies: {
      own: new PolicyDocument({
        statements: [
          new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: targets }),
          new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [failed.queueArn] }),
        ],
      }),
    },
  });
  return plans.map(({ name, target, expression, windowMinutes, input }) => {
    const schedule = new CfnSchedule(scope, `${name}-schedule`, {
      name: `${scope.prefix}-${name}`,
      groupName: scope.prefix,
      scheduleExpression: expression,
      scheduleExpressionTimezone: "UTC",
      flexibleTimeWindow: { mode: "FLEXIBLE", maximumWindowInMinutes: windowMinutes },
      target: {
        arn: target.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ tick, ...input }),
        retryPolicy: { maximumEventAgeInSeconds: 300, maximumRetryAttempts: 3 },
        deadLetterConfig: { arn: failed.queueArn },
      },
    });
    schedule.addResourceDependency(group);
    return schedule;
  });
}

// The drill: a test event is published to the topic like an alert, and an alarm is raised where it does not arrive.
/** The queue is not read: its metrics show that a message arrived, and the message expires. */
export function createDrill(scope: WatchScope, { topic }: Notifications): OwnAlarm {
  const queue = new Queue(scope, "Drill", {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.hours(1),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  acknowledge(queue, "AwsSolutions-SQS3", "Nobody reads from it, so nothing can fail to be read.");
  queue.grantSendMessages(
    new ServicePrincipal("sns.amazonaws.com", {
      conditions: { ArnEquals: { "aws:SourceArn": topic.topicArn } },
    }),
  );
  new Subscription(scope, "DrillSubscription", {
    topic,
    protocol: SubscriptionProtocol.SQS,
    endpoint: queue.queueArn,
    filterPolicy: { event: SubscriptionFilter.stringFilter({ allowlist: ["drill"] }) },
  });
  const construct = new Alarm(scope, "drill-lost", {
    alarmName: `${scope.prefix}-drill-lost`,
    alarmDescription: `No test event arrived in ${thresholds.drillLostDays} days: alerts may not arrive either. See ${scope.runbookUrl}#undelivered`,
    metric: queue.metricNumberOfMessagesSent({ period: Duration.days(1), statistic: "Sum" }),
    threshold: 1,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: thresholds.drillLostDays,
    treatMissingData: TreatMissingData.BREACHING,
  });
  return { name: "drill-lost", construct };
}
