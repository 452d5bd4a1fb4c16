// The alarms about V1 that CloudWatch evaluates by itself, in CloudWatch's own words: the stack creates them, and the dashboard
// names their thresholds. Each reads one metric, because an alarm on an expression is billed for every metric in it.

import type { Thresholds } from "../../config/thresholds.ts";
import { type EndpointId, endpointIds, idsOf } from "../../contract/endpoints.ts";
import { percent, plural } from "../../text.ts";
import { dayMs, describeDuration } from "../../time.ts";
import type { MetricName } from "../metrics.ts";

/** What is wrong with V1. */
export const faults = {
  failures: "requests to V1 fail",
  "failure-rate": "requests to V1 fail now and then",
  unauthorized: "V1 answers with 401",
  "unauthorized-rate": "V1 answers with 401 now and then",
  drift: "V1's responses break its document",
  staleness: "V1's data is stale",
  latency: "V1 is slow",
  retirement: "V1's retirement date is near",
  certificate: "V1's certificate expires soon",
} as const;
export type Fault = keyof typeof faults;

/**
 * While the assessment is broken, these composite alarms notify. A composite notifies only when it begins to fire: one for all would keep
 * an outage to itself that begins while the data is stale, and a rate of the day, which lasts for a day, the next outage.
 */
export const fallbacks = {
  failing: { what: "V1 fails or refuses our key", faults: ["failures", "unauthorized"] },
  rates: {
    what: "V1 fails or refuses our key now and then",
    faults: ["failure-rate", "unauthorized-rate"],
    // An outage of four hours is a rate of the day, too: whoever was told of the outage is not told of that rate.
    after: "failing",
  },
  other: {
    what: "V1 breaks its document, its data is stale, it is slow, or its retirement date or the end of its certificate is near",
    faults: ["drift", "staleness", "latency", "retirement", "certificate"],
  },
} as const satisfies Record<string, { what: string; faults: readonly Fault[]; after?: string }>;

/** Those that have an alarm: a day with few checks has no rate. */
export const listFallbacks = (table: readonly AlarmRow[]) =>
  Object.entries(fallbacks)
    .map(([kind, row]: [string, { what: string; faults: readonly Fault[]; after?: string }]) => ({
      kind,
      ...row,
    }))
    .filter(({ faults }) => table.some(({ fault }) => faults.includes(fault)));

/** What it means that V1's clock and ours differ, in the same words on one machine and in AWS. */
export const clocksDiffer = {
  consequence: "the age of V1's data is unknown",
  action:
    "Compare V1's Date header with another clock. If V1's is wrong, tell its owner, or allow the difference with staleness.maxSkew.",
};

export type AlarmRow = {
  id: string;
  fault: Fault;
  /** One alarm for each; undefined for a metric without the dimension. */
  endpoints: readonly (EndpointId | undefined)[];
  metric: MetricName;
  statistic: "Sum" | "Average" | "Minimum";
  periodSeconds: number;
  evaluationPeriods: number;
  /** So many of the periods breach; all of them where it is absent. */
  badPeriods?: number;
  threshold: number;
  comparisonOperator:
    | "GreaterThanOrEqualToThreshold"
    | "GreaterThanThreshold"
    | "LessThanThreshold"
    | "LessThanOrEqualToThreshold";
  treatMissingData: "missing" | "ignore" | "breaching" | "notBreaching";
  /** How a graph shows it, where the alarm itself counts in another way: with an axis from 0 to 1. */
  drawn?: { statistic: "Average"; periodSeconds: number; threshold: number };
  meaning: string;
  /** What to do, for a reader who has no runbook at hand. */
  action: string;
  /** Heading in docs/use/runbook.md. */
  runbook: string;
};

export type AlarmSettings = {
  thresholds: Thresholds;
  /** staleness.frozenAfter of the configuration. */
  frozenAfterSeconds: number;
  /** The time between two scheduled checks of an endpoint: cadence.calm of the configuration. */
  checkSeconds: number;
  /** The probers are started so often: a check is made at the first start that finds it due. */
  tickSeconds: number;
};

const minute = 60;
const hour = 3_600;
const day = 86_400;
/** A start that the scheduler, Lambda or the queue before it delays. */
const lateSeconds = 120;
/** Faster checks than this are counted as if they were made so often: a restart is over before three of them. */
const fastestSeconds = 180;

export function alarmTable({
  thresholds: limits,
  frozenAfterSeconds,
  checkSeconds,
  tickSeconds,
}: AlarmSettings): readonly AlarmRow[] {
  const lists = idsOf("list");
  const everywhere: readonly undefined[] = [undefined];

  /** Two checks that follow each other are never further apart. */
  const gapSeconds = checkSeconds + tickSeconds + lateSeconds;

  // The metrics are 0 or 1 with every scheduled check. Periods are so short that each check has its own, and nothing is checked
  // in most of them. Periods as long as the cadence slide over the checks: one that starts late leaves a period empty or
  // shares one, so that the count of bad periods goes up and down while V1 is down.
  const pace = Math.max(1, Math.ceil(fastestSeconds / checkSeconds));
  const lastChecks = Math.min(pace * limits.alarmLastChecks, Math.max(2, Math.floor(day / checkSeconds)));
  const lastBad = Math.min(pace * limits.alarmBadChecks, lastChecks);
  const rangeSeconds = (checks: number) => checks * checkSeconds + tickSeconds + lateSeconds;
  // CloudWatch looks back for a day, or for a week where a period is an hour or longer.
  const isWithinADay = rangeSeconds(lastBad - 1) <= day;
  const countSeconds = isWithinADay ? minute : hour;
  const lookBackSeconds = Math.min(rangeSeconds(lastChecks), isWithinADay ? day : 7 * day);
  const lastly = {
    statistic: "Average",
    periodSeconds: countSeconds,
    evaluationPeriods: Math.ceil(lookBackSeconds / countSeconds),
    badPeriods: lastBad,
    threshold: limits.alarmShare,
    comparisonOperator: "GreaterThanOrEqualToThreshold",
    // While nothing is checked the state stays as it is: only good checks end an alarm.
    treatMissingData: "ignore",
    drawn: {
      statistic: "Average",
      periodSeconds: Math.min(day, lastChecks * checkSeconds),
      threshold: lastBad / lastChecks,
    },
  } as const;
  const lastText = `${lastBad} or more of the last ${lastChecks} scheduled checks`;

  const checksADay = Math.floor(day / checkSeconds);
  const badADay = Math.max(limits.alarmRateBadChecks, Math.ceil(limits.alarmRateShare * checksADay));
  const hasRate = checksADay >= limits.alarmRateSamples;
  // One long period and not several: these would flap with the minute at which they begin.
  const daily = {
    ...lastly,
    statistic: "Sum",
    periodSeconds: day,
    evaluationPeriods: 1,
    badPeriods: 1,
    threshold: badADay,
    drawn: { statistic: "Average", periodSeconds: day, threshold: badADay / checksADay },
  } as const;
  const dailyText = `${badADay} or more of the scheduled checks of 24 h (${percent(badADay / checksADay)} of ${checksADay})`;

  // At least one check in each, whenever it starts.
  const periods = {
    periodSeconds: Math.min(
      day / 2,
      Math.max(10 * minute, limits.alarmPeriodChecks * checkSeconds, gapSeconds),
    ),
    evaluationPeriods: limits.alarmPeriods,
  };
  // Two rounds of checks: after the first deployment the assessment reports a near date before its alarm fires.
  const dated = {
    statistic: "Minimum",
    periodSeconds: Math.min(day, Math.max(fastestSeconds, gapSeconds)),
    evaluationPeriods: 2,
  } as const;
  const inPeriods = `in ${plural(limits.alarmPeriods, "period")} in a row`;
  const certificateDays = Math.floor(limits.certificateWarnMs / dayMs);

  const rows: AlarmRow[] = [
    {
      id: "request-failures",
      fault: "failures",
      endpoints: endpointIds,
      // A 401 is not a failure here: Unauthorized counts it.
      metric: "RequestFailed",
      ...lastly,
      meaning: `${lastText} got neither JSON nor a 401.`,
      action:
        "Request V1 yourself with curl, from another network too. If it fails there as well, tell V1's owner with the times. If it works there, look at our network and its proxy. Tell the teams that call V1.",
      runbook: "down",
    },
    {
      id: "failure-rate",
      fault: "failure-rate",
      endpoints: endpointIds,
      metric: "RequestFailed",
      ...daily,
      meaning: `${dailyText} got neither JSON nor a 401.`,
      action:
        "Find on the dashboard which endpoint fails and how often. Compare with another network. Let consumers retry a failed connection once, and tell V1's owner the share and the times.",
      runbook: "error-rate",
    },
    {
      id: "unauthorized",
      fault: "unauthorized",
      endpoints: endpointIds,
      metric: "Unauthorized",
      ...lastly,
      meaning: `${lastText} got 401.`,
      action:
        "Request V1 with the key and without it. Ask the key's owner whether it is revoked, expired or over its quota. If so, put a spare key where the probers read it. If both get 401, ask V1's owner whether V1 ends.",
      runbook: "unauthorized",
    },
    {
      id: "unauthorized-rate",
      fault: "unauthorized-rate",
      endpoints: endpointIds,
      metric: "Unauthorized",
      ...daily,
      meaning: `${dailyText} got 401.`,
      action:
        "Compare with another key. If only ours gets 401, ask its owner about its quota and its rate limit. If both do, tell V1's owner the share and the times. Let consumers retry once after a 401.",
      runbook: "unauthorized-rate",
    },
    {
      id: "breaking-drift",
      fault: "drift",
      endpoints: endpointIds,
      // Minimum: every response of the period has breaking differences.
      metric: "BreakingDrift",
      statistic: "Minimum",
      ...periods,
      threshold: 0,
      comparisonOperator: "GreaterThanThreshold",
      treatMissingData: "ignore",
      meaning: `Every response has fields that are missing or of another type, ${inPeriods}.`,
      action:
        "Run `v1watch status drift --table NAME`, which lists the fields, or compare a response with V1's document. Check the code that reads these fields. Ask V1's owner whether the change is meant to stay.",
      runbook: "breaking-drift",
    },
    {
      id: "stale-data",
      fault: "staleness",
      endpoints: lists,
      // The minimum of the ages is the newest record's.
      metric: "RecordAgeSeconds",
      statistic: "Minimum",
      periodSeconds: periods.periodSeconds,
      evaluationPeriods: 1,
      threshold: frozenAfterSeconds,
      comparisonOperator: "GreaterThanThreshold",
      // An unknown age publishes nothing: the data is neither fresh nor stale.
      treatMissingData: "missing",
      meaning: `The newest record of the list is older than ${describeDuration(frozenAfterSeconds)}.`,
      action:
        "Request the list and look at its newest `last_calculated_at`. Ask V1's owner whether records are still calculated. Show the users of consumers how old the values are that they see.",
      runbook: "frozen",
    },
    {
      id: "slow",
      fault: "latency",
      // The list is the longest response of the same server, so it stands for the others.
      endpoints: lists,
      // Minimum: no check of the period was fast. A period has too few checks for a percentile.
      metric: "LatencyMs",
      statistic: "Minimum",
      ...periods,
      threshold: limits.slowMs,
      comparisonOperator: "GreaterThanThreshold",
      // A failed check has no latency; request-failures counts it.
      treatMissingData: "missing",
      meaning: `No scheduled check took less than ${describeDuration(limits.slowMs / 1_000)}, ${inPeriods}.`,
      action:
        "Measure with `curl -w '%{time_total}'`, from another network too. If it is slow there as well, tell V1's owner. Check that the timeouts of consumers are longer than V1 takes now.",
      runbook: "slow",
    },
    {
      id: "retirement-near",
      fault: "retirement",
      endpoints: everywhere,
      metric: "DaysToRetirement",
      ...dated,
      threshold: limits.retirementAlarmDays,
      comparisonOperator: "LessThanOrEqualToThreshold",
      // A date that was withdrawn is no longer published.
      treatMissingData: "notBreaching",
      meaning: `The best known date of V1's removal is ${plural(limits.retirementAlarmDays, "day")} away or nearer.`,
      action:
        "Run `v1watch ready --table NAME`: it lists what blocks the migration, each with its owner. Finish that, or agree on another date with V1's owner and write it into `retirement.date`.",
      runbook: "sunset",
    },
    {
      id: "certificate-expiring",
      fault: "certificate",
      endpoints: everywhere,
      metric: "CertificateDaysLeft",
      ...dated,
      threshold: certificateDays,
      comparisonOperator: "LessThanOrEqualToThreshold",
      // No data about a certificate does not mean that it was renewed.
      treatMissingData: "ignore",
      meaning: `V1's certificate expires in ${plural(certificateDays, "day")} or fewer.`,
      action:
        "Tell V1's owner the day on which the certificate ends: after it every client that checks certificates fails. Check with `openssl s_client -connect HOST:443` whether a new one is served already.",
      runbook: "certificate",
    },
  ];
  return rows.filter(({ id }) => hasRate || !id.endsWith("-rate"));
}

export type NamedAlarm = { name: string; row: AlarmRow; endpoint: EndpointId | undefined };

/** Every alarm of the table by its own name: `slow-passport-list`, `retirement-near`. */
export const listAlarms = (table: readonly AlarmRow[]): NamedAlarm[] =>
  table.flatMap((row) =>
    row.endpoints.map((endpoint) => ({
      name: endpoint === undefined ? row.id : `${row.id}-${endpoint}`,
      row,
      endpoint,
    })),
  );
