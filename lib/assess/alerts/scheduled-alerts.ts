// What is told because of the day, and not because of an answer: the countdown, and a budget that runs out.
import type { Alert } from "../../records/alert.ts";
import type { Incident } from "../../records/incident.ts";
import type { SubscriptionStatus } from "../../records/subscription-status.ts";
import { dayMs, dayText } from "../date-text.ts";
import { readSignals } from "../evaluate-rules.ts";
import type { AssessSettings, AssessState } from "../state.ts";
import { asciiLine, renderAlert, renderCountdown, renderDigest } from "./render-alert.ts";
import { count, plural } from "./text.ts";

/** One message for each step of the countdown that was reached, for the date believed now. */
export function countdownAlerts(state: AssessState, settings: AssessSettings, nowMs: number): Alert[] {
  const { signs, outlook } = readSignals(state, settings, nowMs);
  const countdown = signs?.countdown;
  // Who has seen V1's end needs no countdown to it.
  if (signs?.hasEnded || countdown?.state !== "ahead" || countdown.step === undefined) return [];
  const date = dayText(countdown.dateMs);
  const source = countdown.source === "configured" ? "the configuration" : "its Sunset header";
  const { step, daysLeft } = countdown;
  const reasons = outlook?.reasons.slice(0, 4) ?? [];
  return [
    renderCountdown({ date, step, daysLeft, source, reasons }, new Date(nowMs).toISOString(), settings),
  ];
}

/** A calm month of 31 days leaves more. Told once a month. */
const budgetShare = 0.02;

export function budgetAlerts(
  left: number,
  settings: AssessSettings & { isAnonymous: boolean },
  nowMs: number,
): Alert[] {
  if (left > settings.monthlyRequests * budgetShare) return [];
  const at = new Date(nowMs).toISOString();
  const since = `${at.slice(0, 7)}-01T00:00:00.000Z`;
  const evidence = [`${count(left)} of ${count(settings.monthlyRequests)} requests are left this month`];
  const incident: Incident = {
    schema: "v1watch/incident/1",
    id: "monitor/budget",
    cause: "monitor/budget",
    class: "budget",
    severity: "warning",
    state: "open",
    since,
    openedAt: at,
    lastBadAt: at,
    confirmations: 1,
    recoveries: 0,
    failed: 0,
    endpoints: [],
    evidence,
    flaps: 0,
  };
  return [renderAlert({ event: "opened", incident, at, number: 1 }, settings)];
}

// What was learned in a day about what the document does not say, and about what was different from the
// start. One message the day after; it never pages.
export function learnedLines(state: AssessState, day: string): string[] {
  const findings = Object.values(state.drift.rows)
    .filter(({ firstSeen, isChange }) => firstSeen.startsWith(day) && !isChange)
    .map(({ finding: { level, path, kind, expected, observed } }) => {
      const how = kind === "retyped" || kind === "format" ? `${expected} is ${observed}` : kind;
      return `${level}: ${path} ${how}; so since the first look, and not a change`;
    });
  const answers = Object.entries(state.evidence).flatMap(([gap, subjects]) =>
    Object.entries(subjects).flatMap(([subject, { answers }]) =>
      Object.entries(answers)
        .filter(([, { first }]) => first.startsWith(day))
        .map(([answer]) => `gap ${gap}: ${subject}: ${answer}`),
    ),
  );
  return [...findings.sort(), ...answers.sort()];
}

/** About yesterday, because today is not over. */
export function learnedOn(state: AssessState, nowMs: number): Alert[] {
  const day = dayText(nowMs - dayMs);
  const lines = learnedLines(state, day);
  return lines.length > 0 ? [renderDigest(day, lines, new Date(nowMs).toISOString())] : [];
}

// Subscriptions of the topic that get no alerts. The alert reaches the other subscriptions.
const countMissing = ({ expected, confirmed, unconfirmed }: SubscriptionStatus) =>
  Math.max(0, expected - confirmed - unconfirmed.length);

/** How many subscriptions get no alerts. */
export const countUnconfirmed = (status: SubscriptionStatus) =>
  status.unconfirmed.length + countMissing(status);

/** Undefined where every subscription is confirmed. */
export function subscriptionText(status: SubscriptionStatus): string | undefined {
  const missing = countMissing(status);
  const parts = [
    ...(status.unconfirmed.length > 0
      ? [`${status.unconfirmed.length} not confirmed (${status.unconfirmed.join(", ")})`]
      : []),
    ...(missing > 0 ? [`${missing} missing (unsubscribed, deleted or never confirmed)`] : []),
  ];
  if (parts.length === 0) return undefined;
  return `${headlineOf(status)}: ${parts.join(", ")}`;
}

function headlineOf(status: SubscriptionStatus): string {
  const affected = countUnconfirmed(status);
  return `${plural(affected, "subscription")} ${affected === 1 ? "gets" : "get"} no alerts`;
}

/** At most one a day, because the id contains the day. */
export function subscriptionAlerts(
  status: SubscriptionStatus,
  { runbookUrl }: Pick<AssessSettings, "runbookUrl">,
  nowMs: number,
): Alert[] {
  const text = subscriptionText(status);
  if (text === undefined) return [];
  const day = dayText(nowMs);
  const line = headlineOf(status);
  return [
    {
      schema: "v1watch/alert/1",
      id: `monitor/subscriptions@${day}`,
      event: "opened",
      at: new Date(nowMs).toISOString(),
      severity: "warning",
      kind: "monitor",
      endpoint: "all",
      incident: "monitor/subscriptions",
      since: `${day}T00:00:00.000Z`,
      subject: asciiLine(`[v1watch] ${line}`, 100),
      sms: asciiLine(`v1watch: ${line}. Runbook: undelivered`, 160),
      body: [
        `${text}.`,
        "Confirm the subscription with the link in the message from AWS Notifications, or subscribe again where it is missing.",
        "The subscriptions are checked once a day; this alert is repeated until all of them are confirmed.",
        "",
        `Runbook: ${runbookUrl}#undelivered`,
        "",
      ].join("\n"),
      runbook: "undelivered",
    },
  ];
}

// A test event that takes the alerts' own way: it looks like one, and says in every form that it is none.
/** By its instant, so that a drill sent twice is one drill. */
export function drillAlert(at: string): Alert {
  const instant = new Date(at).toISOString();
  const clock = `${instant.slice(11, 16)} UTC`;
  return {
    schema: "v1watch/alert/1",
    id: `drill@${instant}/drill`,
    event: "drill",
    at: instant,
    severity: "info",
    kind: "monitor",
    endpoint: "all",
    incident: "drill",
    since: instant,
    subject: `[v1watch] DRILL at ${clock}: nothing is wrong`,
    sms: `v1watch: DRILL at ${clock}, nothing is wrong. Alerts reach you.`,
    body: [
      `This is a drill, sent at ${instant.slice(0, 10)} ${clock}. Nothing is wrong with V1.`,
      "It took the way of every alert, so alerts reach you. There is nothing to do.",
      "",
    ].join("\n"),
    runbook: "undelivered",
  };
}
