// Every number that a rule, an alarm, a card, a scheduled alert or the runbook uses, once, with its unit in the name and
// the reason beside it. The section `thresholds` of the configuration replaces single ones.
import { dayMs, hourMs, minuteMs } from "../time.ts";

export const thresholds = {
  // What the check history keeps.
  /** Single checks: long enough for a 24 h rate that has to stay low for another 24 h. */
  checksKeptMs: 72 * hourMs,
  /** Hourly roll-ups, transitions and resolved incidents: two months of totals, gaps and windows. */
  rollUpsKeptMs: 60 * dayMs,
  /** Daily snapshots of record dates: a week apart and one more. */
  snapshotDays: 8,
  /** Findings of an endpoint's first checks are its baseline, not a change. */
  baselineChecks: 3,
  /** Transitions that are kept at the most: a V1 that fails at random makes about four a day and endpoint. */
  maxTransitions: 900,
  /** Resolved incidents that are kept at the most. */
  maxResolved: 200,

  // Failures.
  /** A page about the API needs bad checks over this time: a restart takes 3 min. */
  pageAfterMs: 5 * minuteMs,
  /** A page about one endpoint needs longer: its confirmations come at +5, +10 and +15 min. */
  pageEndpointAfterMs: 15 * minuteMs,
  /** A page needs this many bad checks: one check never pages, and two may be chance. */
  pageChecks: 3,
  /** 429 is our own request rate until it lasts this long. */
  throttledForMs: 30 * minuteMs,
  /** While a rate incident fires, failures in a row happen by chance: an outage needs more. */
  duringRateForMs: 30 * minuteMs,
  duringRateChecks: 8,
  /** More where the rate is high: as many as chance gives once in 10,000 times, and at most those of half a day. */
  duringRateChance: 0.0001,
  duringRateMaxChecks: 60,
  /** First failures of all endpoints this close together are one outage: the cadence of one endpoint and a minute. */
  sameOutageMs: 37 * minuteMs,
  /** A new cause of a firing incident needs as many checks as a page. */
  changeChecks: 3,
  /** A message about an incident that alternates between two causes is sent once in this time for each cause. */
  sameCauseAgainMs: 6 * hourMs,
  /** Below this share of bad checks a failure is intermittent: its checks count in the rates. */
  outageShare: 0.9,
  /** Good checks over this time prove a recovery; the recovery checks come at +1 and +5 min. */
  recoveredForMs: 5 * minuteMs,
  recoveryChecks: 2,
  /** Schedulers are early or late by seconds. */
  slackMs: 30_000,
  /** "May be retired" becomes "retired" after this time. */
  retiredAfterMs: 24 * hourMs,
  /** Two samples have to agree within this time that a path is not found. */
  samplesAgreeMs: 3 * hourMs,

  // Rates, of scheduled checks only.
  /** 12 of the last 36 scheduled checks (about 7 h) page. */
  ratePageBad: 12,
  ratePageOf: 36,
  /** 5 % in 24 h, and at least 7: 1 % of random 502s reaches 7 of 120 less than once in 10,000 days. */
  rateWarning: 0.05,
  rateWarningBad: 7,
  rateWindowMs: 24 * hourMs,
  /** It resolves when the rate has stayed under half of its limit for 24 h. */
  rateResolveShare: 0.5,
  rateResolveForMs: 24 * hourMs,
  /** An update is sent when the rate has doubled, else weekly. */
  rateUpdateFactor: 2,
  rateUpdateMs: 7 * dayMs,
  /** Four fifths of the failures are 401: it is a rate of 401s. */
  unauthorizedShare: 0.8,

  // Headers and body notices.
  /** A header counts after two consecutive checks of an endpoint, or on two endpoints within an hour. */
  noticeChecks: 2,
  noticeEndpointsMs: hourMs,
  /** Dates this close are one date that is computed anew for each response. */
  sameDateMs: hourMs,
  /** A deprecation notice is reported once; it ends when it was absent for this long. */
  deprecationGoneMs: 24 * hourMs,
  /** Days before the announced end at which a countdown alert is sent. */
  countdownDays: [90, 60, 30, 14, 7, 3, 1, 0],

  // Recurring outages.
  recurringWindows: 3,
  /** With a deprecation notice two windows are enough. */
  recurringWindowsWithNotice: 2,
  /** Windows on other days whose starts may lie at the same time of the day, to the accuracy of the checks. */
  recurringToleranceMs: 5 * minuteMs,

  // Drift.
  /** Breaking drift pages after this many checks in a row. */
  driftChecks: 3,
  /** While a share of the checks shows it, three in a row happen by chance: it pages when chance brings as many so seldom. */
  runByChance: 0.0005,
  /** A finding in a share of the checks is reported after this many, in the time that single checks are kept. */
  shareChecks: 3,
  /** Below this share of the checks since it was first seen it is partial. */
  driftShare: 0.8,
  /** It ends when none of the checks of this time showed it. */
  shareGoneMs: 48 * hourMs,

  // Data.
  /** The newest date may stand still for this long whatever the ordinary gaps are. */
  frozenAfterMs: 36 * hourMs,
  /** Until a whole week was seen, weekends are not known. */
  frozenFirstWeekMs: 72 * hourMs,
  frozenAtMostMs: 7 * dayMs,
  frozenFactor: 1.5,
  /** Ordinary gaps are measured over this time. */
  gapsFromMs: 35 * dayMs,
  /** A gap across a hole in the watch of this length says nothing. */
  holeMs: 6 * hourMs,
  /** Another newest date for this many hours is a stray response: the date before it stood still on. */
  strayHours: 2,
  /** The newest date jumps back by a day in this many checks. */
  jumpBackMs: dayMs,
  jumpBackChecks: 3,
  /** The list's total is 20 % below that of 30 days before, in this many checks. */
  shrunkenShare: 0.8,
  shrunkenFromDays: 30,
  shrunkenChecks: 3,
  /** It ends above this share of the reported total. */
  shrunkenEndShare: 0.85,
  /** Nearly all records of a page, and not of a very short one, have the same overall score, in this many checks. */
  equalShare: 0.9,
  equalRecords: 5,
  equalChecks: 3,
  /** Half of the dates of a list are younger than this in every check of a day: they are made for the response. */
  alwaysNowMs: 2 * minuteMs,
  alwaysNowChecks: 12,
  alwaysNowForMs: dayMs,
  /** Dates moved so often without a changed value that chance is below 1 in 10,000. */
  valuesMinMoved: 12,
  valuesMinHours: 3,
  valuesChance: 0.0001,
  /**
   * So many of the list's records stand still for so much longer than nine of ten of them used to. In a page of 20 whose
   * records are recalculated every 5 days, half of them stand still for a week now and then, and never for 10 days.
   */
  partlyFrozenShare: 0.4,
  partlyFrozenFactor: 1.5,
  partlyFrozenAfterMs: 10 * dayMs,
  partlyFrozenRecords: 5,
  /** Credentials are empty in this many checks, for at least two samples that had some. */
  credentialsChecks: 3,
  credentialsSamples: 2,

  // Latency.
  slowMs: 3_000,
  slowFactor: 10,
  /** Ten times of very little is still little. */
  slowFloorMs: 500,
  slowChecks: 3,
  slowWeekMs: 7 * dayMs,

  // Access.
  /** Anonymous checks that were refused where they were served. */
  anonymousChecks: 3,

  // The monitor itself.
  certificateWarnMs: 14 * dayMs,
  certificatePageMs: 3.5 * dayMs,
  /** At most this share of the month's request budget is left. */
  budgetShare: 0.02,
  noSecretChecks: 3,
  /** An endpoint may be without a check while the others have so many. */
  silentWhileOthers: 4,
  /** Without any check for this long, and for this many cadences, the watch is silent. */
  silentAfterMs: hourMs,
  silentCadences: 3,
  /** Three heartbeats of a function are missing: one may be late, and two may be a deployment. */
  heartbeatMissingMs: 45 * minuteMs,
  /** For so long the topic has not accepted all alerts: a fault of SNS itself is over before. */
  undeliveredForMs: hourMs,
  /** A subscription did not accept a message, or a function failed twice, once in this time. */
  lossPeriodMs: hourMs,
  /** What was not delivered or processed is kept for so long: SQS keeps nothing longer. */
  deadLetterDays: 14,
  /** A drill is sent every six days; seven without one are one too many. */
  drillLostDays: 7,

  // CloudWatch alarms, which count data points of scheduled checks and cannot learn.
  /** Two checks fall into each period and two periods have to breach: one failed check raises nothing. */
  alarmPeriodChecks: 2,
  alarmPeriods: 2,
  /** A failure or a 401 in this share of a period's checks breaches. */
  alarmShare: 0.5,
  /** Responses of one period that say that the quota is used up: one may be stale. */
  quotaResponses: 2,
  /** The alarm about an announced date begins here: earlier, the countdown alerts are enough. */
  retirementAlarmDays: 30,

  // Cards of the page.
  /** Below this share of good responses availability is shown as a warning: one restart in a week is above it. */
  availabilityShare: 0.99,

  // Messages.
  reminderMs: 24 * hourMs,
  /** Countdown alerts are warnings from here on, and pages in the last days. */
  countdownWarningDays: 30,
  countdownPageDays: 3,

  // Retirement risk.
  imminentDays: 7,
  highDays: 90,
  /** A date that passed this long ago without an end is less alarming. */
  outlivedDays: 30,
  /** V1's data was not seen for this long: the risk is unknown. */
  unknownAfterMs: 48 * hourMs,
} as const;

/** A setting may replace a number. */
export type Thresholds = {
  [Name in keyof typeof thresholds]: (typeof thresholds)[Name] extends number
    ? number
    : (typeof thresholds)[Name];
};

type Name = keyof typeof thresholds;

/** Part of the stored history, of fixed sentences, or of what AWS creates once: a setting does not replace these. */
const fixedNames: readonly Name[] = [
  "checksKeptMs",
  "rollUpsKeptMs",
  "snapshotDays",
  "baselineChecks",
  "maxTransitions",
  "maxResolved",
  "samplesAgreeMs",
  "retiredAfterMs",
  "deadLetterDays",
  "drillLostDays",
];

/** The numbers that the section `thresholds` of the configuration may replace. */
export const settableNames: readonly string[] = (Object.keys(thresholds) as Name[]).filter(
  (name) => typeof thresholds[name] === "number" && !fixedNames.includes(name),
);

export type ThresholdSettings = {
  /** alerts.pageAfter. */
  pageAfterMs?: number | undefined;
  thresholds?: Partial<Thresholds> | undefined;
};

/** The thresholds in force. */
export function resolveThresholds({ pageAfterMs, thresholds: given }: ThresholdSettings): Thresholds {
  const own: Thresholds = { ...thresholds, ...given };
  if (pageAfterMs === undefined) return own;
  // A recovery has to last as long as an outage, and one endpoint's outage in proportion.
  const ratio = pageAfterMs / own.pageAfterMs;
  return {
    ...own,
    pageAfterMs,
    pageEndpointAfterMs: own.pageEndpointAfterMs * ratio,
    recoveredForMs: Math.min(own.recoveredForMs, own.recoveredForMs * ratio),
  };
}
