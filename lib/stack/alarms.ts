// The alarm table as CloudWatch alarms, the alarms that watch our own machinery, and who may speak.
import { Duration, type Stack } from "aws-cdk-lib";
import {
  Alarm,
  AlarmRule,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarmRule,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import {
  type AlarmRow,
  alarmTable,
  listAlarms,
  type Alarm as NamedAlarm,
  renderFill,
} from "../assess/alarms/alarm-table.ts";
import { dimension, type MetricName, metricOf, namespaceOf } from "../assess/metrics.ts";
import { alarmSettings, type Config } from "../config/config.ts";
import type { EndpointId } from "../contract/endpoints.ts";
import type { Voice } from "./notifications.ts";

/** By the names they have in CloudWatch, composites first. */
export type Alarms = string[];

/** What our code cannot tell about itself, because then it is silent. */
const ownRules: readonly string[] = ["silent", "undelivered"];
const monitorRules: readonly string[] = [...ownRules, "certificate", "budget", "no-secret"];
const isOwn = ({ rule }: AlarmRow) => ownRules.includes(rule ?? "");
const isAboutV1 = ({ rule }: AlarmRow) => !monitorRules.includes(rule ?? "");

export function createAlarms(stack: Stack, config: Config, voice: Voice, failed: Queue): Alarms {
  const speak = new SnsAction(voice.topic);
  const table = alarmTable(alarmSettings(config));
  const everySpeaks = config.aws.alarms.notify === "always";
  const byName = new Map<string, Alarm>();
  for (const named of listAlarms(table)) {
    const alarm = createAlarm(stack, named);
    byName.set(named.name, alarm);
    if (everySpeaks || isOwn(named.row)) tell(alarm);
  }
  function tell(alarm: Alarm | CompositeAlarm): void {
    alarm.addAlarmAction(speak);
    alarm.addOkAction(speak);
  }
  const lost =
    "A run was lost: its function failed twice, or could not be started. See docs/runbook.md#silent";
  const waits = "A subscription did not take a message; it waits in a queue. See docs/runbook.md#undelivered";
  for (const [name, queue, meaning] of [
    ["function-failed", failed, lost] as const,
    ...voice.undelivered.map((its) => [`delivery-failed-${its.name}`, its.queue, waits] as const),
  ]) {
    const alarm = createDeadLetterAlarm(stack, name, queue, meaning);
    byName.set(name, alarm);
    tell(alarm);
  }

  const raised = (matches: (alarm: NamedAlarm) => boolean): IAlarmRule[] =>
    listAlarms(table)
      .filter(matches)
      .map(({ name }) => AlarmRule.fromString(`ALARM("${stack.stackName}-${name}")`));
  const allOf = (id: string) => AlarmRule.allOf(...raised(({ row }) => row.id === id));
  const quota = AlarmRule.anyOf(...raised(({ row }) => row.id === "quota-exhausted"));
  const leaving = new CompositeAlarm(stack, "leaving", {
    compositeAlarmName: `${stack.stackName}-leaving`,
    alarmDescription:
      "V1 is leaving: its date is near, or no endpoint answers, or all refuse the key although its quota is not used up. See docs/runbook.md#sunset",
    alarmRule: AlarmRule.anyOf(
      ...raised(({ row }) => row.id === "retirement-near"),
      allOf("down"),
      AlarmRule.allOf(allOf("unauthorized"), AlarmRule.not(quota)),
    ),
  });
  const unheard = new CompositeAlarm(stack, "alerting-broken", {
    compositeAlarmName: `${stack.stackName}-alerting-broken`,
    alarmDescription:
      "V1 is in trouble, and the assessment that would say so is silent or its alerts do not leave. See docs/runbook.md#silent",
    alarmRule: AlarmRule.allOf(
      AlarmRule.anyOf(...raised(({ row }) => isAboutV1(row))),
      AlarmRule.anyOf(...raised(({ row }) => isOwn(row) && row.id !== "prober-silent")),
    ),
  });
  // The rules speak of alarms by name, so CloudFormation has to be told that these come first.
  for (const composite of [leaving, unheard]) composite.node.addDependency(...byName.values());
  if (everySpeaks) tell(leaving);
  tell(unheard);
  return ["leaving", "alerting-broken", ...byName.keys()].map((name) => `${stack.stackName}-${name}`);
}

function createAlarm(stack: Stack, { name, row, endpoint }: NamedAlarm): Alarm {
  return new Alarm(stack, name, {
    alarmName: `${stack.stackName}-${name}`,
    alarmDescription: `${row.title}. ${row.meaning} See docs/runbook.md#${row.runbook}`,
    metric: signalOf(stack, row, endpoint),
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

function signalOf(
  stack: Stack,
  { id, signal, periodSeconds }: AlarmRow,
  endpoint: EndpointId | undefined,
): IMetric {
  const period = Duration.seconds(periodSeconds);
  const m1 = metricFor(stack, signal.metric, endpoint, signal.statistic, period);
  const expression = renderFill(signal);
  return expression === undefined
    ? m1
    : new MathExpression({ expression, usingMetrics: { m1 }, period, label: id });
}

export function metricFor(
  stack: Stack,
  name: MetricName,
  endpoint: EndpointId | undefined,
  statistic: string,
  period: Duration,
): Metric {
  const isPerEndpoint = metricOf(name).perEndpoint && endpoint !== undefined;
  return new Metric({
    namespace: namespaceOf(stack.stackName),
    metricName: name,
    statistic,
    period,
    ...(isPerEndpoint && { dimensionsMap: { [dimension]: endpoint } }),
  });
}

/** One for each queue: an empty queue has no number, and a sum over it has none either. */
function createDeadLetterAlarm(stack: Stack, name: string, queue: Queue, meaning: string): Alarm {
  return new Alarm(stack, name, {
    alarmName: `${stack.stackName}-${name}`,
    alarmDescription: meaning,
    metric: queue.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(5),
      statistic: "Maximum",
    }),
    threshold: 0,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
