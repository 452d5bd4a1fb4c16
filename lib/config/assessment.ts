// What an assessment and the alarms need of the configuration: the same on a laptop and in AWS.

import { durationMs } from "./duration.ts";
import type { Config } from "./schema.ts";

/** As in the alarm table: 3 s are slow, and an hour without a run is silence. */
const slowMs = 3_000;
const silentMs = 3_600_000;

export function assessmentSettings({ baseUrl, retirement, staleness, budget, cadence }: Config) {
  return {
    baseUrl,
    runbookUrl: "docs/runbook.md",
    retirementDate: retirement.date,
    frozenAfterMs: durationMs(staleness.frozenAfter),
    slowMs,
    monthlyRequests: budget.monthlyRequests,
    silentAfterMs: Math.max(silentMs, 3 * durationMs(cadence.calm)),
  };
}

export function alarmSettings({ staleness, budget, cadence, aws }: Config) {
  const calmMs = durationMs(cadence.calm);
  return {
    frozenAfterSeconds: durationMs(staleness.frozenAfter) / 1_000,
    monthlyRequests: budget.monthlyRequests,
    sampledSeconds: wholeMinutes(calmMs * Math.ceil(durationMs(aws.metricsEvery) / calmMs)),
    calmSeconds: wholeMinutes(calmMs),
    suspiciousSeconds: wholeMinutes(durationMs(cadence.suspicious)),
    assessSeconds: wholeMinutes(durationMs(aws.assessEvery)),
  };
}

/** In seconds: CloudWatch takes no other periods. */
const wholeMinutes = (ms: number) => Math.ceil(ms / 60_000) * 60;
