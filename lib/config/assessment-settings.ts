// The settings of the assessment and of the alarms, which are the same in local mode and in AWS.
import { durationMs } from "./durations.ts";
import type { Config, OfflineConfig } from "./schema.ts";
import { thresholds } from "./thresholds.ts";
import { tickMs } from "./tick.ts";

export function assessmentSettings<Given extends OfflineConfig>(config: Given) {
  const { runbookUrl, publicUrl, retirement, staleness, budget, cadence, alerts, timeouts } = config;
  return {
    baseUrl: config.baseUrl as Given["baseUrl"],
    runbookUrl,
    publicUrl,
    maintenance: config.maintenance.length > 0 ? config.maintenance : undefined,
    retirementDate: retirement.date,
    frozenAfterMs: staleness.frozenAfter === undefined ? undefined : durationMs(staleness.frozenAfter),
    pageAfterMs: alerts.pageAfter === undefined ? undefined : durationMs(alerts.pageAfter),
    hour: alerts.hour,
    timeZone: alerts.timeZone,
    monthlyRequests: budget.monthlyRequests,
    silentAfterMs: computeSilentAfterMs(config),
    ...describeKeySource(config.key),
    cadenceMs: durationMs(cadence.calm),
    lateMs: durationMs(cadence.confirm) + timeouts.deadlineMs,
  };
}

/** How long an endpoint may be without a check. */
export function computeSilentAfterMs({ cadence }: Pick<OfflineConfig, "cadence">): number {
  const { silentAfterMs, silentCadences } = thresholds;
  return Math.max(silentAfterMs, silentCadences * durationMs(cadence.calm));
}

/** Names only: whoever reads an alert gets the key there. */
function describeKeySource(key: OfflineConfig["key"]): { keyVariable?: string; keySource?: string } {
  if (key === "none") return {};
  if ("env" in key) return { keyVariable: key.env };
  if ("file" in key) return { keySource: `the file ${key.file}` };
  if ("ssm" in key) return { keySource: `the SSM parameter ${key.ssm}` };
  return { keySource: `the secret ${key.secret}` };
}

/** A single check does not know the ordinary gaps: beyond a weekend the data may be frozen. */
export function frozenHintSeconds(config: Config): number {
  const { frozenAfterMs = thresholds.frozenFirstWeekMs } = assessmentSettings(config);
  return frozenAfterMs / 1_000;
}

/** A CloudWatch alarm does not know the ordinary gaps: its limit is the configured one, or the longest. */
export function alarmSettings(config: Config) {
  const { frozenAfterMs = thresholds.frozenAtMostMs } = assessmentSettings(config);
  return {
    thresholds,
    frozenAfterSeconds: frozenAfterMs / 1_000,
    checkSeconds: wholeMinutes(durationMs(config.cadence.calm)),
    tickSeconds: tickMs(config) / 1_000,
  };
}

/** In seconds, rounded up to whole minutes, because CloudWatch alarms accept only such periods. */
const wholeMinutes = (ms: number) => Math.ceil(ms / 60_000) * 60;
