// Alerts that follow from the date and not from a check: the countdown, the daily digest, the budget,
// subscriptions that get no alerts, and a drill.

import { thresholds } from "../../config/thresholds.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { type Alert, incidentOf, numberOf } from "../../records/alert.ts";
import type { Facts, Incident, RuleId, Severity } from "../../records/incident.ts";
import { teamDayOf } from "../../records/maintenance.ts";
import type { Finding } from "../../records/observation.ts";
import type { SubscriptionStatus } from "../../records/subscription-status.ts";
import { plural } from "../../text.ts";
import { dayMs, daysUntil, dayText, momentText } from "../../time.ts";
import { countdownStep, type Outlook } from "../outlook.ts";
import { announcedDates } from "../retirement-date.ts";
import type { AssessSettings, AssessState } from "../state.ts";
import { describeFinding } from "./impact.ts";
import {
  type AlertContext,
  asciiLine,
  boundSections,
  linksOf,
  pickForm,
  renderAlert,
} from "./render-alert.ts";
import { whereText } from "./text.ts";

/** Facts of what no check has counted: a date of the configuration, or the request budget. */
const uncounted = (rule: Facts["rule"], at: string, more: Partial<Facts>): Facts => ({
  rule,
  scope: "api",
  endpoints: [...endpointIds],
  firstBadAt: at,
  lastGoodBeforeAt: null,
  lastBadAt: at,
  firstGoodAfterAt: null,
  bad: 0,
  total: 0,
  windowSeconds: 0,
  ...more,
});

type WithoutFacts = Pick<Alert, "id" | "at" | "event" | "severity" | "rule" | "links"> & {
  title: string;
  lines: readonly string[];
};

/** An alert that is not about an incident of V1: a title, and sentences. */
const withoutFacts = ({ title, lines, ...alert }: WithoutFacts): Alert => ({
  schema: "v1watch/alert/3",
  ...alert,
  scope: "api",
  endpoints: [...endpointIds],
  subject: asciiLine(`[v1watch] ${title}`, 100),
  sections: boundSections([{ label: "", lines: [...lines] }]),
  facts: null,
});

const countdownSeverity = (step: number): Severity =>
  step <= thresholds.countdownPageDays
    ? "page"
    : step <= thresholds.countdownWarningDays
      ? "warning"
      : "info";

/** The step at which the alert about this date itself was sent: it says the same as the countdown would. */
function announcedStep({ sent, key }: Incident, date: string): number | undefined {
  const notice = sent.findLast((one) => one.event !== "reminder" && one.key === key);
  return notice && countdownStep(daysUntil(Date.parse(date), Date.parse(notice.at)));
}

/** One alert for each step that was reached, for the date and the endpoints that are known now. */
export function countdownAlerts(
  state: AssessState,
  outlook: Outlook,
  settings: AssessSettings,
  nowMs: number,
): Alert[] {
  if (outlook.dateState !== "ahead" || outlook.level === "retired") return [];
  // A step is reached at the team's hour, and so is the next date once one has passed. The days are those of the dashboard and of
  // the metric: before the team's hour they may be of another step, which is not told then.
  const teamDay = teamDayOf(nowMs, settings.hour, settings.timeZone);
  const announced =
    outlook.dateSource === "sunset"
      ? announcedDates(state.incidents).find(({ dateMs }) => dateMs > Math.min(teamDay * dayMs, nowMs))
      : undefined;
  const date = announced?.day ?? outlook.date;
  if (date === undefined || (announced && announced.dateMs <= nowMs)) return [];
  const daysLeft = daysUntil(Date.parse(date), nowMs);
  const step = countdownStep(daysLeft);
  if (step === undefined || step !== countdownStep(daysUntil(Date.parse(date), teamDay * dayMs))) return [];
  const at = new Date(nowMs).toISOString();
  const severity = countdownSeverity(step);
  // The announcement is a warning: with three days left or fewer, the countdown is the page.
  if (announced && severity !== "page" && announcedStep(announced.incident, date) === step) return [];
  const facts = announced
    ? { ...announced.incident.facts, daysLeft }
    : uncounted("sunset", at, { date: `${date}T23:59:59.000Z`, source: "configured", daysLeft });
  const endpoints = announced?.endpoints ?? [...endpointIds];
  const scope = endpoints.length === endpointIds.length ? "api" : "endpoint";
  const left = daysLeft <= 0 ? "today" : daysLeft === 1 ? "tomorrow" : `in ${plural(daysLeft, "day")}`;
  // What the team configured is not what V1 announces.
  const ends = announced
    ? `V1 ends ${left} on ${whereText(endpoints)}: ${date}`
    : `The configured end of V1 is ${left}: ${date}`;
  const forms = [...(announced ? [`${ends}, by its Sunset header`] : []), ends];
  const sentence = announced
    ? `V1 ends ${left} on ${whereText(endpoints)}: at ${momentText(announced.date)}, by its Sunset header.`
    : `The configuration names ${date} as V1's last day, which is ${left}.`;
  const place = scope === "api" ? "" : `-${endpoints.join("-")}`;
  const links = linksOf(announced?.incident.id, "sunset", settings);
  return [
    {
      schema: "v1watch/alert/3",
      id: `countdown-${date.replaceAll("-", "")}${place}/${step}-countdown`,
      at,
      event: "countdown",
      severity,
      rule: "sunset",
      scope,
      endpoints,
      subject: pickForm(forms.map((form) => `[v1watch] ${severity.toUpperCase()}: ${form}`)),
      sections: [
        {
          label: "",
          lines: [sentence],
        },
        {
          label: "Next steps",
          lines: [
            "1. `v1watch scan` lists the code that still uses V1, and `v1watch ready` what blocks the move.",
            "2. Run `v1watch status risk` to see what is known about V1's retirement.",
          ],
        },
      ],
      facts,
      links,
    },
  ];
}

/** Each once a month: the reserve for confirmation is spent; hardly any request is left. */
export function budgetAlerts(
  left: number,
  isReserveSpent: boolean,
  settings: AssessSettings & { isAnonymous: boolean },
  nowMs: number,
): Alert[] {
  const at = new Date(nowMs).toISOString();
  const month = at.slice(0, 7).replace("-", "");
  const isLow = left <= settings.monthlyRequests * thresholds.budgetShare;
  const render = (id: string, more: Partial<Facts>) => {
    const numbers = { requestsLeft: left, requestsPerMonth: settings.monthlyRequests, ...more };
    const incident: Incident = {
      schema: "v1watch/incident/3",
      id,
      rule: "budget",
      scope: "api",
      severity: "warning",
      endpoints: [...endpointIds],
      state: "firing",
      since: at,
      openedAt: at,
      facts: uncounted("budget", at, numbers),
      key: "budget",
      sent: [],
    };
    const alert = renderAlert({ event: "opened", incident, at, number: 1 }, settings);
    // The dashboard has no page of it: it follows from no check.
    return { ...alert, links: linksOf(undefined, "budget", settings) };
  };
  return [
    ...(isReserveSpent ? [render(`budget-reserve-${month}`, { isReserveSpent: true })] : []),
    ...(isLow ? [render(`budget-${month}`, {})] : []),
  ];
}

/** What was new on a day, and its summary: new differences, those from the start, observations. */
export function digestOf(state: AssessState, day: string): { summary: string; lines: string[] } | undefined {
  const rows = Object.values(state.drift.rows).filter(({ firstSeen }) => firstSeen.startsWith(day));
  const changes = rows.filter(({ isChange, finding }) => isChange && finding.level !== "breaking");
  const fromStart = rows.filter(({ isChange }) => !isChange);
  const notes = state.notes.filter(({ atMs }) => dayText(atMs) === day);
  const answers = answerDays(state).filter((first) => first === day).length;
  if (changes.length + fromStart.length + notes.length + answers === 0) return undefined;
  const isFirstDay = answerDays(state).every((first) => first >= day) && fromStart.length > 0;
  const breaking = fromStart.filter(({ finding }) => finding.level === "breaking");
  const places = plural(breaking.length, "place");
  const broken =
    breaking.length === 0 ? "no breaking difference was seen" : `V1 differs from its document in ${places}`;
  const lines = [
    ...(isFirstDay ? [`First day: ${broken}.`] : []),
    ...differencesText(fromStart.map(({ finding }) => finding)),
    ...changes.map(({ finding }) => `New: ${finding.path}: ${describeFinding(finding)}.`).sort(),
    ...notes.map(({ rule, endpoints, isHeldBack }) =>
      isHeldBack
        ? `Not announced, because the day had too many messages: ${rule} on ${whereText(endpoints)}.`
        : `${describeNote(rule)} on ${whereText(endpoints)}.`,
    ),
    ...(answers > 0
      ? [
          `${plural(answers, "new observation")} about what V1's document leaves open: \`v1watch status undocumented\`.`,
        ]
      : []),
  ];
  const counts = [
    { count: fromStart.length, one: "difference from the document", many: "differences from the document" },
    { count: changes.length, one: "new difference" },
    { count: notes.length, one: "note" },
    { count: answers, one: "new observation" },
  ];
  const news = counts
    .filter(({ count }) => count > 0)
    .map(({ count, one, many }) => plural(count, one, many));
  return { summary: isFirstDay ? `first day, ${broken}` : news.join(", "), lines };
}

const maxDifferences = 12;

/** What has differed since the first check is no change: what breaks code one by one, the rest as a number. */
function differencesText(findings: readonly Finding[]): string[] {
  const breaking = findings.filter(({ level }) => level === "breaking");
  const values = findings.filter(({ kind }) => kind === "new-value").length;
  const others = findings.length - breaking.length - values;
  const counts = [
    ...(values > 0
      ? [`${plural(values, "field")} ${values === 1 ? "has" : "have"} values that the document does not list`]
      : []),
    ...(others > 0 ? [plural(others, "other difference")] : []),
  ];
  return [
    ...breaking
      .map((finding) => `Since the first check: ${finding.path}: ${describeFinding(finding)}.`)
      .sort()
      .slice(0, maxDifferences),
    ...(breaking.length > maxDifferences ? [`And ${breaking.length - maxDifferences} more.`] : []),
    ...(counts.length > 0 ? [`${counts.join("; ")}: \`v1watch status drift\` lists them.`] : []),
  ];
}

const describeNote = (rule: RuleId) =>
  rule === "future-dates" ? "Dates in the future, which never count as the newest," : rule;

const answerDays = ({ evidence }: AssessState): string[] =>
  Object.values(evidence)
    .flatMap((subjects) => Object.values(subjects))
    .flatMap(({ answers }) => Object.values(answers))
    .map(({ first }) => first.slice(0, 10));

const maxDigestLines = 40;

/** About yesterday, at the team's hour; one alert, never a page. */
export function digestAlerts(
  state: AssessState,
  context: AlertContext & Pick<AssessSettings, "hour" | "timeZone">,
  nowMs: number,
): Alert[] {
  const day = dayText((teamDayOf(nowMs, context.hour, context.timeZone) - 1) * dayMs);
  const digest = digestOf(state, day);
  if (!digest) return [];
  const { lines } = digest;
  const title = `Daily digest of ${day}: ${digest.summary}`;
  const rest = lines.length > maxDigestLines ? [`and ${lines.length - maxDigestLines} more`] : [];
  return [
    withoutFacts({
      id: `digest-${day.replaceAll("-", "")}/1-digest`,
      at: new Date(nowMs).toISOString(),
      event: "digest",
      severity: "info",
      rule: "digest",
      title,
      lines: [...lines.slice(0, maxDigestLines), ...rest],
      links: linksOf(undefined, "digest", context),
    }),
  ];
}

// Subscriptions of the topic that get no alerts. The alert reaches the other subscriptions.
const countMissing = ({ expected, confirmed, unconfirmed }: SubscriptionStatus) =>
  Math.max(0, expected - confirmed - unconfirmed.length);

/** How many subscriptions get no alerts. */
export const countUnconfirmed = (status: SubscriptionStatus) =>
  status.unconfirmed.length + countMissing(status);

const maxNamed = 5;

const nameFirst = (names: readonly string[]) =>
  [...names.slice(0, maxNamed), ...(names.length > maxNamed ? ["…"] : [])].join(", ");

/** Undefined where every subscription is confirmed. */
function subscriptionText(status: SubscriptionStatus): string | undefined {
  const missing = countMissing(status);
  const parts = [
    ...(status.unconfirmed.length > 0
      ? [`${status.unconfirmed.length} not confirmed (${nameFirst(status.unconfirmed)})`]
      : []),
    ...(missing > 0 ? [`${missing} missing (unsubscribed, deleted or never confirmed)`] : []),
  ];
  if (parts.length === 0) return undefined;
  return `${headlineOf(status)}: ${parts.join(", ")}`;
}

/** For the dashboard, the report and the commands: undefined where every subscription is confirmed, or none was checked. */
export function subscriptionWarning(status: SubscriptionStatus | undefined): string | undefined {
  const text = status && subscriptionText(status);
  return text && `${text}. Checked on ${dayText(Date.parse(status.at))}.`;
}

function headlineOf(status: SubscriptionStatus): string {
  const affected = countUnconfirmed(status);
  return `${plural(affected, "subscription")} ${affected === 1 ? "gets" : "get"} no alerts`;
}

/** One warning with a reminder every day until all of them are confirmed; `open` is the latest message of it. */
export function subscriptionAlerts(
  status: SubscriptionStatus,
  open: Alert | undefined,
  context: AlertContext,
  nowMs: number,
): Alert[] {
  const text = subscriptionText(status);
  if (text === undefined)
    // A topic without any subscription proves nothing.
    return open && status.confirmed > 0
      ? [endAlarm(open, ["All subscriptions get alerts", `${status.confirmed} are confirmed.`], nowMs)]
      : [];
  const day = dayText(nowMs);
  if (open && dayText(Date.parse(open.at)) === day) return [];
  const at = new Date(nowMs).toISOString();
  const event = open ? "reminder" : "opened";
  const incidentId = open ? incidentOf(open) : `subscriptions-${day.replaceAll("-", "")}`;
  return [
    withoutFacts({
      id: `${incidentId}/${open ? numberOf(open) + 1 : 1}-${event}`,
      at,
      event,
      severity: "warning",
      rule: "undelivered",
      title: `WARNING: ${headlineOf(status)}`,
      lines: [
        `${text}.`,
        "Confirm the subscription with the link in the message from AWS Notifications, or subscribe again where it is missing.",
        "This alert is repeated every day until all of them are confirmed.",
      ],
      links: linksOf(undefined, "undelivered", context),
    }),
  ];
}

/** What was seen of a condition of the watch itself, in sentences. Where nothing was seen, there is no evidence. */
export type Evidence = { isBad: boolean; lines: readonly [string, ...string[]] };

/**
 * The one way in which an alarm about the watch itself begins and ends: bad evidence opens it once, good evidence ends it
 * under the same incident id, and without evidence it stays as it is. `open` is its latest message.
 */
export function judgeAlarm(
  open: Alert | undefined,
  evidence: Evidence | undefined,
  begin: (lines: Evidence["lines"]) => Alert,
  nowMs: number,
): Alert[] {
  if (!evidence || evidence.isBad === (open !== undefined)) return [];
  return [open ? endAlarm(open, evidence.lines, nowMs) : begin(evidence.lines)];
}

/** The RESOLVED of an alarm about the watch itself; `open` is its latest message. */
const endAlarm = (open: Alert, [title, ...lines]: Evidence["lines"], nowMs: number): Alert => ({
  ...open,
  id: `${incidentOf(open)}/${numberOf(open) + 1}-resolved`,
  at: new Date(nowMs).toISOString(),
  event: "resolved",
  subject: asciiLine(`[v1watch] RESOLVED: ${title}`, 100),
  sections: [{ label: "", lines: [`${title}.`, ...lines] }],
});

/** The ends of the budget alerts that were announced and no longer hold; `holding` are the incidents of those that do. */
export const endedBudgetAlerts = (
  announced: readonly Alert[],
  holding: readonly Alert[],
  budgetLeft: number,
  nowMs: number,
): Alert[] =>
  announced
    .filter((alert) => alert.rule === "budget")
    .filter((alert) => !holding.some((one) => incidentOf(one) === incidentOf(alert)))
    .map((alert) =>
      endAlarm(
        alert,
        ["The request budget is enough again", `${plural(budgetLeft, "request")} are left this month.`],
        nowMs,
      ),
    );

/** After a hole in the watch, such as a machine that was off, each incident has its latest reminder at the most. */
export const withoutOldReminders = (alerts: readonly Alert[]): Alert[] =>
  alerts.filter(
    (alert, index) =>
      alert.event !== "reminder" ||
      !alerts.slice(index + 1).some((later) => incidentOf(later) === incidentOf(alert)),
  );

type Unreadable = {
  count: number;
  byTable: Readonly<Record<string, number>>;
  latestMs?: number | undefined;
};

/** For the dashboard, the health check and the alert: `{ observation: 2 }` → "2 stored entries could not be read …". */
export function describeUnreadable({ count, byTable, latestMs }: Unreadable): string {
  const tables = Object.entries(byTable).map(([table, rows]) => `${table} ${rows}`);
  const latest = latestMs === undefined ? "" : `, the latest on ${dayText(latestMs)}`;
  return `${plural(count, "stored entry", "stored entries")} could not be read and ${count === 1 ? "was" : "were"} set aside (${tables.join(", ")}${latest}).`;
}

/**
 * Opened when entries of the store were found that cannot be read, changed when more are found on a later day, and ended
 * after a day in which none was.
 */
export function unreadableAlerts(
  unreadable: Unreadable,
  announced: readonly Alert[],
  context: AlertContext,
  nowMs: number,
): Alert[] {
  const { count, latestMs = Number.NEGATIVE_INFINITY } = unreadable;
  const isBad = Math.abs(nowMs - latestMs) <= dayMs;
  const lines: Evidence["lines"] = isBad
    ? [
        `${plural(count, "stored entry", "stored entries")} could not be read`,
        describeUnreadable(unreadable),
        "The store is damaged, or this version of v1watch cannot read what another one wrote. What was set aside is kept.",
      ]
    : [
        "No stored entry was found unreadable in the last 24 h",
        ...(count > 0 ? [describeUnreadable(unreadable)] : []),
      ];
  const open = announced.find(({ id }) => /^store-\d{8}\//.test(id));
  const begin = () => monitorAlert(`store-${dayText(latestMs).replaceAll("-", "")}`, lines, context, nowMs);
  const toldMs = open ? Date.parse(open.at) : latestMs;
  if (open && isBad && latestMs > toldMs && dayText(latestMs) !== dayText(toldMs)) {
    const id = `${incidentOf(open)}/${numberOf(open) + 1}-changed`;
    return [{ ...begin(), id, event: "changed" }];
  }
  return judgeAlarm(open, { isBad, lines }, begin, nowMs);
}

/** A problem of the monitor itself. `id` names the occurrence, so that it is reported once. */
export function monitorAlert(
  id: string,
  [line, ...details]: readonly [string, ...string[]],
  context: AlertContext,
  nowMs: number,
): Alert {
  return withoutFacts({
    id: `${id}/1-opened`,
    at: new Date(nowMs).toISOString(),
    event: "opened",
    severity: "warning",
    rule: "monitor",
    title: `WARNING: ${line}`,
    lines: [line, ...details],
    links: linksOf(undefined, "monitor", context),
  });
}

/** A test message that is sent the way alerts are, and says in every form that it is one. By its instant. */
export function drillAlert(at: string): Alert {
  const instant = new Date(at).toISOString();
  const clock = `${instant.slice(11, 16)} UTC`;
  return withoutFacts({
    id: `drill-${instant.slice(0, 19).replace(/[-:]/g, "")}Z/1-drill`,
    at: instant,
    event: "drill",
    severity: "info",
    rule: "drill",
    title: `DRILL at ${clock}: a test message`,
    lines: [
      `This is a test message of v1watch, sent on ${instant.slice(0, 10)} at ${clock}. It says nothing about V1.`,
      "It was sent the way alerts are sent to this receiver. There is nothing to do.",
    ],
    links: {},
  });
}
