// The numbers that several parts share: rules, alarms, cards, scheduled alerts and the runbook. Each has its unit in its name
// and its reason beside it. A number of a single rule is in the row of that rule, in lib/assess/rules. Numbers that a team may
// change are settings.
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export const thresholds = {
  // Failures.
  /** A page about the API needs bad checks over this time: a restart takes 3 min. */
  pageAfterMs: 5 * minuteMs,
  /** A page needs this many bad checks: one check never pages, and two may be chance. */
  pageChecks: 3,
  /** Findings of an endpoint's first checks are its baseline, not a change. */
  baselineChecks: 3,
  /** "May be retired" becomes "retired" after this time. */
  retiredAfterMs: dayMs,

  // Data and latency.
  /** The newest date may stand still for this long whatever the ordinary gaps are; longer until a whole week was seen. */
  frozenAfterMs: 36 * hourMs,
  frozenFirstWeekMs: 72 * hourMs,
  frozenAtMostMs: 7 * dayMs,
  /** A hole in the watch of this length: a gap in the data across it says nothing. */
  holeMs: 6 * hourMs,
  /** Pages that wait this long hang. */
  slowMs: 3_000,

  // The monitor itself.
  certificateWarnMs: 14 * dayMs,
  /** At most this share of the month's request budget is left. */
  budgetShare: 0.02,
  /** Without any check for this long, and for this many cadences, the watch is silent. */
  silentAfterMs: hourMs,
  silentCadences: 3,
  /** A prober was not started for so long, or for three of its ticks: a deployment is over before. */
  notRunningMs: 10 * minuteMs,
  /** Without a completed assessment for so long, or for three of its intervals, nobody judges the checks. */
  assessmentMissingMs: 15 * minuteMs,
  /** Errors of a function in two hours. A run that fails is repeated once: four are two runs that were lost. */
  functionErrors: 4,
  functionErrorsMs: 2 * hourMs,
  /** Throttled calls of a function or of the table in a quarter of an hour; a few are repeated in time. */
  throttledCalls: 5,
  throttledMs: 15 * minuteMs,
  /** For so long the topic has not accepted all alerts: a fault of SNS itself is over before. */
  undeliveredForMs: hourMs,
  /** A subscription did not accept a message, or a run was lost, once in this time. */
  lossPeriodMs: hourMs,
  /** What was not delivered or processed is kept for so long: SQS keeps nothing longer. */
  deadLetterDays: 14,
  /** A drill is sent every six days; seven without one are one too many. */
  drillLostDays: 7,

  // CloudWatch alarms, which count data points of scheduled checks and cannot learn. With 1 % of random errors a watch of three
  // endpoints has such an alarm less than once in five years (test/stack/played-alarms.test.ts).
  /** So many of an endpoint's latest scheduled checks are bad: one never raises an alarm, and two may be chance. */
  alarmBadChecks: 3,
  alarmLastChecks: 4,
  /** Or this share of a day's checks and this many of them. Three of 40 are chance in two months of five. */
  alarmRateShare: 0.05,
  alarmRateBadChecks: 6,
  /** A day with fewer checks has no rate. */
  alarmRateSamples: 20,
  /** Drift and latency: every check of two periods with two checks each. */
  alarmPeriodChecks: 2,
  alarmPeriods: 2,
  /** Half of the checks fail: the dashboard draws it as critical. */
  alarmShare: 0.5,
  /** The alarm about an announced date begins here: earlier, the countdown alerts are enough. */
  retirementAlarmDays: 30,

  // Cards of the dashboard.
  /** Below this share of good responses availability is shown as a warning: one restart in a week is above it. */
  availabilityShare: 0.99,

  // Countdown and retirement risk.
  /** Days before the announced end at which a countdown alert is sent: a warning from 30 on, a page in the last days. */
  countdownDays: [90, 60, 30, 14, 7, 3, 1, 0],
  countdownWarningDays: 30,
  countdownPageDays: 3,
  imminentDays: 7,
  highDays: 90,
  /** A date that passed this long ago without an end is less alarming. */
  outlivedDays: 30,
  /** V1's data was not seen for this long: the risk is unknown. */
  unknownAfterMs: 48 * hourMs,
} as const;

export type Thresholds = typeof thresholds;
