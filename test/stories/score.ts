/** Compares the messages of a watch with a story's truth. Pure: no clock, no files, no network. */
import { DAY, type ExpectedMessage, type ForbiddenMessage, HOUR, parseInstant, type Story } from "./types.ts";

export interface Alert {
  id: string;
  at: string;
  event: string;
  severity: string;
  rule: string;
  scope: string;
  endpoints: readonly string[];
  subject: string;
  text: string;
  facts?: { firstBadAt?: string; rows?: { firstBadAt: string }[] } & Record<string, unknown>;
  links?: unknown;
}

/** A line of the replay's output with type "message", or the alert alone. */
export type Message = { type?: string; at?: string; alert: Alert } | Alert;

export const FAILURE_RULES = [
  "down",
  "key-refused",
  "maybe-retired",
  "retired",
  "quota-exhausted",
  "access-refused",
  "throttled",
  "withdrawn",
  "gone",
  "serves-v2",
  "error-envelope",
  "not-json",
  "empty-list",
  "stub-data",
  "unsafe-response",
];
const UNCOUNTED_EVENTS = ["digest", "countdown", "reminder"];

const alertOf = (message: Message): Alert => ("alert" in message ? message.alert : message);
const isCounted = (alert: Alert): boolean => !UNCOUNTED_EVENTS.includes(alert.event);
const isPage = (alert: Alert): boolean =>
  alert.severity === "page" && (alert.event === "opened" || alert.event === "changed");
const expandRules = (rules: string[]): string[] =>
  rules.flatMap((rule) => (rule === "any-failure" ? FAILURE_RULES : [rule]));
const label = (alert: Alert): string =>
  `${alert.at} ${alert.event} ${alert.severity} ${alert.rule} (${alert.scope}: ${alert.endpoints.join(", ")})`;

const includes = (names: readonly string[], name: string): boolean => names.includes(name);

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}

/** Whether an alert is the expected message; `firstBad` is judged afterwards. */
function matches(story: Story, expected: ExpectedMessage, alert: Alert): boolean {
  const at = Date.parse(alert.at);
  if (at < parseInstant(story, expected.after) || at > parseInstant(story, expected.by)) return false;
  if (!includes(expected.event, alert.event)) return false;
  if (expected.rule && !expandRules(expected.rule).includes(alert.rule)) return false;
  if (expected.severity && !includes([expected.severity].flat(), alert.severity)) return false;
  if (expected.scope && expected.scope !== alert.scope) return false;
  if (expected.endpoints && !sameSet(expected.endpoints, alert.endpoints)) return false;
  if (!expected.mentions) return true;
  const content = JSON.stringify(alert).toLowerCase();
  return expected.mentions.some((mention) => content.includes(mention.toLowerCase()));
}

function describe(expected: ExpectedMessage): string {
  const rule = expected.rule?.join(" or ") ?? "any rule";
  const details = [
    [expected.severity ?? []].flat().join(" or "),
    expected.scope ?? "",
    expected.endpoints?.join("+") ?? "",
  ]
    .filter(Boolean)
    .join(", ");
  const mentions = expected.mentions ? ` that mentions ${expected.mentions.join(" or ")}` : "";
  return `${expected.event.join(" or ")} of ${rule}${details ? ` (${details})` : ""}${mentions} between ${expected.after} and ${expected.by}`;
}

function checkFirstBad(story: Story, expected: ExpectedMessage, alert: Alert): string[] {
  if (!expected.firstBad) return [];
  const value = alert.facts?.firstBadAt;
  if (typeof value !== "string") return [`${label(alert)} has no facts.firstBadAt.`];
  const [from, to] = expected.firstBad.map((text) => parseInstant(story, text)) as [number, number];
  // Where endpoints became bad one after the other, each has its own onset.
  const onsets = [value, ...(alert.facts?.rows ?? []).map(({ firstBadAt }) => firstBadAt)];
  return onsets.some((onset) => Date.parse(onset) >= from && Date.parse(onset) <= to)
    ? []
    : [`${label(alert)} says firstBadAt ${value}; the truth is between ${expected.firstBad.join(" and ")}.`];
}

/** Assigns a message of its own to each expectation, the earliest deadline first. */
function checkExpected(story: Story, alerts: Alert[]): string[] {
  const free = [...alerts];
  const byDeadline = story.truth.messages.toSorted(
    (a, b) => parseInstant(story, a.by) - parseInstant(story, b.by),
  );
  return byDeadline.flatMap((expected) => {
    const candidates = free.filter((alert) => matches(story, expected, alert));
    const found =
      candidates.find((alert) => checkFirstBad(story, expected, alert).length === 0) ?? candidates[0];
    if (!found) return [`Missing: ${describe(expected)}.`];
    free.splice(free.indexOf(found), 1);
    return checkFirstBad(story, expected, found);
  });
}

function isForbidden(story: Story, forbidden: ForbiddenMessage, alert: Alert): boolean {
  const at = Date.parse(alert.at);
  if (forbidden.from !== undefined && at < parseInstant(story, forbidden.from)) return false;
  if (forbidden.to !== undefined && at > parseInstant(story, forbidden.to)) return false;
  if (forbidden.rule && !expandRules(forbidden.rule).includes(alert.rule)) return false;
  if (forbidden.event && !includes(forbidden.event, alert.event)) return false;
  if (forbidden.severity && forbidden.severity !== alert.severity) return false;
  return forbidden.scope === undefined || forbidden.scope === alert.scope;
}

function checkForbidden(story: Story, alerts: Alert[]): string[] {
  const { forbiddenRules = [], forbidden = [], quiet = [] } = story.truth;
  const rules = expandRules(forbiddenRules);
  const problems: string[] = [];
  for (const alert of alerts) {
    const named = forbidden.filter((item) => isCounted(alert) || includes(item.event ?? [], alert.event));
    if (named.some((item) => isForbidden(story, item, alert)))
      problems.push(`Forbidden message: ${label(alert)}.`);
    if (!isCounted(alert)) continue;
    if (rules.includes(alert.rule)) problems.push(`Forbidden rule: ${label(alert)}.`);
    const at = Date.parse(alert.at);
    if (quiet.some(([from, to]) => at >= parseInstant(story, from) && at < parseInstant(story, to)))
      problems.push(`Message in a quiet interval: ${label(alert)}.`);
  }
  return problems;
}

/** Rules that hold for every story: openings are limited, and nothing is resolved that was not opened. */
function checkLaws(counted: Alert[]): string[] {
  const problems: string[] = [];
  const openings = new Map<string, number[]>();
  let open = 0;
  for (const alert of counted) {
    if (alert.event === "opened") {
      open += 1;
      const key = `${alert.rule} ${alert.scope} ${alert.endpoints.toSorted().join(",")}`;
      const times = [...(openings.get(key) ?? []), Date.parse(alert.at)];
      openings.set(key, times);
      const now = Date.parse(alert.at);
      if (times.filter((time) => time > now - HOUR).length > 2)
        problems.push(`More than 2 openings in an hour: ${label(alert)}.`);
      if (times.filter((time) => time > now - DAY).length > 6)
        problems.push(`More than 6 openings in a day: ${label(alert)}.`);
    }
    if (alert.event === "resolved" && --open < 0)
      problems.push(`Resolved without an opening: ${label(alert)}.`);
  }
  return problems;
}

export function scoreStory(story: Story, messages: Message[]): { ok: boolean; problems: string[] } {
  const alerts = messages.map(alertOf).toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const counted = alerts.filter(isCounted);
  const pages = counted.filter(isPage);
  const problems = [...checkExpected(story, alerts), ...checkForbidden(story, alerts), ...checkLaws(counted)];
  if (pages.length > story.truth.maxPages)
    problems.push(`${pages.length} pages; at most ${story.truth.maxPages}: ${pages.map(label).join("; ")}.`);
  if (counted.length > story.truth.maxMessages)
    problems.push(
      `${counted.length} messages; at most ${story.truth.maxMessages}: ${counted.map(label).join("; ")}.`,
    );
  return { ok: problems.length === 0, problems };
}
