// What is told because of the day, and not because of an answer: the countdown, and a budget that runs out.
import type { Alert } from "../records/alert.ts";
import type { Incident } from "../records/incident.ts";
import { renderAlert, renderCountdown } from "./alerts.ts";
import { dayText } from "./phrases.ts";
import { readSignals } from "./signals.ts";
import type { AssessSettings, AssessState } from "./state.ts";
import { count } from "./words.ts";

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
  settings: AssessSettings & { isKeyless: boolean },
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
