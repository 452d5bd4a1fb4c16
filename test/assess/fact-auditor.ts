// Checks the facts of messages against the log of checks: counts, instants, scopes, causes and dates, without tolerance. It reads no
// text, and knows of the rules only which checks are bad: it judges neither when nor why something is told.
import { foldRows } from "../../lib/assess/text/rows.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { type FactRow, type Facts, failureRules, type RuleId } from "../../lib/records/incident.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { labelOf, type ResponseClass } from "../../lib/records/outcome.ts";
import { hourMs } from "../../lib/time.ts";
import { type Check, isNotice, readLog } from "./log-of-checks.ts";

/** `either`: a throttled check is bad while an outage is open that it does not end, and before that it says nothing. */
type Mark = "good" | "bad" | "either";
type Marked = { check: Check; mark: Mark };

const ofFailure = ({ quality, class: name }: Check): Mark | undefined => {
  if (name === "throttled") return "either";
  return quality === "none" ? undefined : quality;
};

const ofThrottling = ({ quality, class: name }: Check): Mark | undefined => {
  if (quality === "none") return undefined;
  return name === "throttled" ? "bad" : "good";
};

const ofSunset = ({ notices: { sunset, sunsetText }, quality, at }: Check): Mark | undefined => {
  if (sunset === undefined && sunsetText === undefined) return quality === "good" ? "good" : undefined;
  // A date that has come while V1 does not serve says nothing.
  return sunset !== undefined && sunset < at && quality !== "good" ? undefined : "bad";
};

const ofNotice = (check: Check): Mark | undefined =>
  isNotice(check) ? "bad" : check.quality === "good" ? "good" : undefined;

const rates: readonly RuleId[] = ["error-rate", "unauthorized-rate"];
const isFailure = (rule: RuleId) => (failureRules as readonly RuleId[]).includes(rule);

/** An incident that was opened as throttling counts other failures as checks that were not throttled. */
function markFor({ id, facts }: Alert): ((check: Check) => Mark | undefined) | undefined {
  if (!facts) return undefined;
  if (id.startsWith("throttled-")) return ofThrottling;
  if (isFailure(facts.rule)) return ofFailure;
  if (facts.rule === "sunset" || (facts.rule === "sunset-passed" && facts.source !== "configured"))
    return ofSunset;
  if (facts.rule === "deprecation") return ofNotice;
  return rates.includes(facts.rule) ? ({ quality }) => (quality === "none" ? undefined : quality) : undefined;
}

type Window = Pick<
  Facts,
  "firstBadAt" | "lastGoodBeforeAt" | "lastBadAt" | "firstGoodAfterAt" | "bad" | "total"
>;

/** From a first bad check to a last one. `leftOut`: so many throttled checks of that time are in no count. */
function auditWindow(window: Window, its: readonly Marked[], leftOut: number): string[] {
  const { firstBadAt, lastBadAt, lastGoodBeforeAt, firstGoodAfterAt, bad, total } = window;
  const isAt = (at: string | null, mark: Mark) =>
    at === null || its.some((one) => one.check.at === at && [mark, "either"].includes(one.mark));
  const own = its.filter(({ check }) => check.at >= firstBadAt && check.at <= lastBadAt);
  const good = own.filter(({ mark }) => mark === "good").length;
  return [
    ...(isAt(firstBadAt, "bad") ? [] : [`no bad check at ${firstBadAt}`]),
    ...(isAt(lastBadAt, "bad") ? [] : [`no bad check at ${lastBadAt}`]),
    ...(isAt(lastGoodBeforeAt, "good") ? [] : [`no good check at ${lastGoodBeforeAt}`]),
    ...(isAt(firstGoodAfterAt, "good") ? [] : [`no good check at ${firstGoodAfterAt}`]),
    ...(total + leftOut === own.length ? [] : [`${total} checks, the log has ${own.length}`]),
    ...(bad === total - good ? [] : [`${bad} of ${total} are bad, ${good} are good`]),
  ];
}

/** As many checks as are counted, up to one that is not followed by a bad one. */
function auditShare(
  { endpoints: names, bad, total, hasCovered, isOfAllChecks }: Facts,
  all: readonly Marked[],
) {
  // What is left out is not in the log: other incidents cover it.
  if (hasCovered) return [];
  const own = all.filter(
    ({ check }) => names.includes(check.endpoint) && (isOfAllChecks || check.reason === "scheduled"),
  );
  const lastBad = own.findLastIndex(({ mark }) => mark === "bad");
  const isSeen = own.slice(Math.max(0, lastBad)).some((_, index) => {
    const counted = own.slice(0, lastBad + index + 1).slice(-total);
    return counted.length === total && counted.filter(({ mark }) => mark === "bad").length === bad;
  });
  return isSeen ? [] : [`${bad} of ${total} are bad, which no such window of the log has`];
}

/** The checks since the last of several causes begin with one check for all endpoints; else each endpoint has its own first one. */
const isSinceCause = ({ causes, firstBadAt }: Facts) => causes?.at(-1)?.from === firstBadAt;

/** The checks that the facts are about: of each endpoint up to its own last bad one. */
const listShown = (facts: Facts, all: readonly Marked[]): Marked[] =>
  rowsOf(facts).flatMap(({ endpoint, firstBadAt, lastBadAt }) => {
    const from = isSinceCause(facts) ? facts.firstBadAt : firstBadAt;
    return all.filter(
      ({ check }) => check.endpoint === endpoint && check.at >= from && check.at <= lastBadAt,
    );
  });

/** Those of the endpoints that are named; of an endpoint that is good again by now, the message has a row alone. */
const rowsOf = ({ rows = [], endpoints: names }: Facts) =>
  rows.filter(({ endpoint }) => names.includes(endpoint));

/** So many throttled checks of its time are in no count: of a failure they say nothing before it is open. */
function countLeftOut(facts: Facts, all: readonly Marked[]): number {
  if (!isSinceCause(facts)) return rowsOf(facts).reduce((sum, { throttled = 0 }) => sum + throttled, 0);
  const own = listShown(facts, all);
  const most = own.filter(({ mark }) => mark === "either").length;
  return Math.max(0, Math.min(most, own.length - facts.total));
}

/** The first and the last check, the good ones around them and the counts are those of the rows. */
function auditWhole(facts: Facts, all: readonly Marked[]): string[] {
  const rows = rowsOf(facts);
  if (isSinceCause(facts)) {
    const own = rows.flatMap(({ endpoint, lastBadAt }) =>
      all.filter(({ check }) => check.endpoint === endpoint && check.at <= lastBadAt),
    );
    return auditWindow(facts, own, countLeftOut(facts, all));
  }
  const { firstBadAt, lastBadAt, lastGoodBeforeAt, firstGoodAfterAt } = facts;
  const known = (instants: readonly (string | null)[]) => instants.filter((at) => at !== null).sort();
  const before = known(rows.map((row) => row.lastGoodBeforeAt)).filter((at) => at < firstBadAt);
  const after = known(rows.map((row) => row.firstGoodAfterAt)).filter((at) => at > lastBadAt);
  const isAs = (name: string, shown: string | null, own: string | undefined) =>
    shown === (own ?? null) ? [] : [`${name} ${shown}, the rows have ${own}`];
  return [
    ...auditSum({ ...facts, rows }),
    ...isAs("first bad", firstBadAt, known(rows.map((row) => row.firstBadAt))[0]),
    ...isAs("last bad", lastBadAt, known(rows.map((row) => row.lastBadAt)).at(-1)),
    ...isAs("good before", lastGoodBeforeAt, before.at(-1)),
    ...(firstGoodAfterAt === null ? [] : isAs("good after", firstGoodAfterAt, after[0])),
  ];
}

function auditResponses(facts: Facts, all: readonly Marked[]): string[] {
  const { responses = {} } = facts;
  const own = listShown(facts, all).filter(({ mark }) => mark !== "good");
  // More labels than there is room for are one.
  if ("other" in responses) return [];
  return Object.entries(responses).flatMap(([label, count]) => {
    const seen = own.filter(({ check }) => labelOf(check) === label).length;
    const more = label === "429" ? countLeftOut(facts, all) : 0;
    return seen >= count && seen <= count + more
      ? []
      : [`${label} ${count} times, the log has it ${seen} times`];
  });
}

function auditFacts(alert: Alert, log: readonly Check[]): string[] {
  const { facts, at, event } = alert;
  const markOf = markFor(alert);
  // A countdown speaks of a date. The end of a rate repeats the counts that were told.
  const isRate = facts ? rates.includes(facts.rule) : false;
  if (!facts || !markOf || event === "countdown" || (isRate && event === "resolved")) return [];
  const all = log.flatMap((check): Marked[] => {
    const mark = check.isPrimary && check.at <= at ? markOf(check) : undefined;
    return mark === undefined ? [] : [{ check, mark }];
  });
  const { rows = [] } = facts;
  if (rows.length === 0) return ["no rows"];
  if (isRate)
    return [
      ...auditShare(facts, all),
      ...auditSum(facts),
      ...rows.flatMap((row) => auditShareRow(row, facts, all)),
    ];
  return [
    ...(isFailure(facts.rule) ? [...auditWhole(facts, all), ...auditCause(facts, all)] : []),
    ...auditDates(facts, log, at),
    ...auditLines(facts, all),
    ...auditResponses(facts, all),
    ...rows.flatMap((row) => auditRow(row, all)),
  ];
}

/** A row is about one endpoint alone: its own first, last and good checks, and as many of each as its own log has. */
function auditRow(row: FactRow, all: readonly Marked[]): string[] {
  const its = all.filter(({ check }) => check.endpoint === row.endpoint);
  const { firstBadAt, lastBadAt, lastGoodBeforeAt, firstGoodAfterAt, onAndOffSince } = row;
  const goodBetween = (from: string, to: string) =>
    its.some(({ check, mark }) => mark === "good" && check.at > from && check.at < to);
  const before = its.filter(({ check }) => check.at > (lastGoodBeforeAt ?? "") && check.at < firstBadAt);
  const after = its.filter(({ check }) => check.at > lastBadAt);
  const isEnd = firstGoodAfterAt === null ? after.some(({ mark }) => mark === "good") : after[0]?.check.at;
  const labels = new Map<string, number>();
  for (const { check, mark } of its)
    if (mark !== "good" && check.at >= firstBadAt && check.at <= lastBadAt)
      labels.set(labelOf(check), (labels.get(labelOf(check)) ?? 0) + 1);
  return [
    ...auditWindow(row, its, row.throttled ?? 0),
    ...(before.some(({ mark }) => mark !== "either")
      ? [`checks between ${lastGoodBeforeAt} and ${firstBadAt}`]
      : []),
    ...(after.some(({ mark }) => mark === "bad") ? [`a bad check after ${lastBadAt}`] : []),
    ...(isEnd !== (firstGoodAfterAt ?? false) && !after.some(({ mark }) => mark === "either")
      ? [`the first good check after it is not at ${firstGoodAfterAt}`]
      : []),
    ...(onAndOffSince && !goodBetween(onAndOffSince, firstBadAt)
      ? [`not on and off since ${onAndOffSince}`]
      : []),
    ...row.got.flatMap(({ label, count }) =>
      label === "other" || labels.get(label) === count + (label === "429" ? (row.throttled ?? 0) : 0)
        ? []
        : [`${label} ${count} times, the log has it ${labels.get(label) ?? 0} times`],
    ),
  ].map((mistake) => `${row.endpoint}: ${mistake}`);
}

/** The scheduled checks of its window, or all of them. */
function auditShareRow(
  { endpoint, window, ...row }: FactRow,
  facts: Facts,
  all: readonly Marked[],
): string[] {
  if (row.hasUncounted || !window) return window ? [] : [`${endpoint}: a rate without a window`];
  const own = all.filter(
    ({ check }) =>
      check.endpoint === endpoint &&
      (facts.isOfAllChecks || check.reason === "scheduled") &&
      check.at >= window.from &&
      check.at <= window.to,
  );
  const bad = own.filter(({ mark }) => mark === "bad").length;
  return own.length === row.total && bad === row.bad
    ? []
    : [`${endpoint}: ${row.bad} of ${row.total}, the log has ${bad} of ${own.length}`];
}

/** A line of several rows says of each of its endpoints what it says of all: it has every check of them in its time. */
function auditLines({ rows = [] }: Facts, all: readonly Marked[]): string[] {
  return foldRows(rows).flatMap(({ endpoints: names, row }) => {
    const parts = rows.filter(({ endpoint }) => names.includes(endpoint));
    const sum = (of: (row: FactRow) => number) => parts.reduce((count, part) => count + of(part), 0);
    const own = all.filter(
      ({ check }) =>
        names.includes(check.endpoint) && check.at >= row.firstBadAt && check.at <= row.lastBadAt,
    );
    const isSum = row.bad === sum(({ bad }) => bad) && row.total === sum(({ total }) => total);
    const isWhole = names.length === 1 || row.window !== undefined || own.length === row.total;
    return [
      ...(isSum ? [] : [`the line of ${names.join("+")} is not the sum of its rows`]),
      ...(isWhole ? [] : [`the line of ${names.join("+")} has ${row.total} checks, the log ${own.length}`]),
    ];
  });
}

/** The responses that show a cause; of the others a title says no cause of V1. */
const causes: Partial<Record<RuleId, readonly ResponseClass[]>> = {
  down: ["failed"],
  "key-refused": ["unauthorized", "quota"],
  "maybe-retired": ["unauthorized", "quota"],
  "quota-exhausted": ["quota"],
  "access-refused": ["forbidden", "unauthorized"],
  throttled: ["throttled"],
  withdrawn: ["not-found", "gone", "redirect", "unauthorized"],
  gone: ["not-found", "gone", "redirect", "unauthorized"],
  "serves-v2": ["v2-shape"],
  "error-envelope": ["error-envelope"],
  "not-json": ["not-json"],
  "empty-list": ["empty"],
  "stub-data": ["stub"],
  "unsafe-response": ["unsafe"],
};

/** What is said to be the cause is that of nine tenths of the bad checks, of fewer than ten of all. */
function auditCause(facts: Facts, all: readonly Marked[]): string[] {
  const shown = causes[facts.rule];
  if (!shown || facts.isMixed) return [];
  const leftOut = countLeftOut(facts, all);
  const bad = listShown(facts, all).filter(({ mark }) => mark !== "good");
  const others = bad.filter(({ check }) => !shown.includes(check.class)).length;
  const counted = bad.length - leftOut;
  return others - leftOut > (counted < 10 ? 0 : counted / 10)
    ? [`${others} of ${bad.length} bad checks show something else than ${facts.rule}`]
    : [];
}

/** Each date was sent by the endpoint that it is said of. */
function auditDates({ dates = {}, previousDates = {} }: Facts, log: readonly Check[], at: string): string[] {
  const isSent = (endpoint: string, date: string) =>
    log.some(
      ({ endpoint: own, at: sentAt, notices }) =>
        own === endpoint &&
        sentAt <= at &&
        notices.sunset !== undefined &&
        Math.abs(Date.parse(notices.sunset) - Date.parse(date)) <= hourMs,
    );
  return [...Object.entries(dates), ...Object.entries(previousDates)].flatMap(([endpoint, date]) =>
    isSent(endpoint, date) ? [] : [`${endpoint} has not sent ${date}`],
  );
}

/** The rows add up to what is said of all of them, where nothing else is counted. */
function auditSum({ rows = [], bad, total }: Facts): string[] {
  const sum = (of: (row: FactRow) => number) => rows.reduce((count, row) => count + of(row), 0);
  return rows.length === 0 || (sum((row) => row.bad) === bad && sum((row) => row.total) === total)
    ? []
    : [`the rows have ${sum((row) => row.bad)} of ${sum((row) => row.total)}, the facts ${bad} of ${total}`];
}

/** What is wrong in the facts of these alerts. */
export function auditAllFacts(alerts: readonly Alert[], observations: readonly Observation[]): string[] {
  const log = readLog(observations);
  return alerts.flatMap((alert) => auditFacts(alert, log).map((mistake) => `${alert.id} ${mistake}`));
}
