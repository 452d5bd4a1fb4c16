// When what runs: EventBridge Scheduler, in UTC, with one role that may start our functions and no other.

import { ArnFormat, Stack } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { CfnSchedule, CfnScheduleGroup } from "aws-cdk-lib/aws-scheduler";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { type Config, durationMs } from "../config/config.ts";
import { tickMs } from "../config/tick.ts";
import { endpointIds } from "../contract/endpoints.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { minuteMs } from "../time.ts";
import type { Functions } from "./functions.ts";
import type { WatchScope } from "./scope.ts";

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
  isDrill?: boolean;
  /** A lost tick is followed by the next one; a lost report is not. */
  keepsLostEvents?: boolean;
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
      keepsLostEvents: true,
    },
  ];
  if (config.aws.drill)
    plans.push({
      name: "drill",
      target: functions.assess,
      expression: "rate(6 days)",
      windowMinutes: 5,
      isDrill: true,
    });

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
  return plans.map(({ name, target, expression, windowMinutes, isDrill, keepsLostEvents }) => {
    const schedule = new CfnSchedule(scope, `${name}-schedule`, {
      name: `${scope.prefix}-${name}`,
      groupName: scope.prefix,
      state: config.aws.enabled ? "ENABLED" : "DISABLED",
      scheduleExpression: expression,
      scheduleExpressionTimezone: "UTC",
      flexibleTimeWindow: { mode: "FLEXIBLE", maximumWindowInMinutes: windowMinutes },
      target: omitUndefined<CfnSchedule.TargetProperty>({
        arn: target.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify({ tick, drill: isDrill }),
        retryPolicy: { maximumEventAgeInSeconds: 300, maximumRetryAttempts: 3 },
        deadLetterConfig: keepsLostEvents ? { arn: failed.queueArn } : undefined,
      }),
    });
    schedule.node.addDependency(group);
    return schedule;
  });
}
