// Whether V1 serves what is asked: outages with their cause, throttling, failures now and then, and requests without a key.
import { thresholds } from "../../config/thresholds.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import type { RuleId } from "../../records/incident.ts";
import { isGood, isRefused, type ResponseClass } from "../../records/outcome.ts";
import { dayMs, minuteMs } from "../../time.ts";
import { type Check, isLie } from "../history/check.ts";
import { announcedEndMs, latestOf } from "../history/history.ts";
import { endOfDayMs } from "../retirement-date.ts";
import { type IncidentView, type Part, type RuleFacts, row, type StoredMark } from "./rule.ts";

const { pageAfterMs, pageChecks, retiredAfterMs } = thresholds;

type Failure = Pick<
  Check,
  "class" | "label" | "isWebPage" | "redirect" | "usage" | "total" | "certificateMs"
>;

const toFailure = (check: Check): Failure => ({
  class: check.class,
  label: check.label,
  isWebPage: check.isWebPage,
  redirect: check.redirect,
  usage: check.usage,
  total: check.total,
  // Of a certificate that has expired: every client fails on it.
  certificateMs: (check.certificateMs ?? Infinity) <= check.atMs ? check.certificateMs : undefined,
});

/** Throttled requests say nothing of an outage until there is one: then they do not end it. */
const throttledIsBad = 1;

export const failure = row<object, Failure>({
  id: "failure",
  severity: "page",
  recurs: true,
  limits: { open: 0, close: throttledIsBad },
  mark: (check, _, { limit }) => {
    if (check.class === "none" || (check.class === "throttled" && limit !== throttledIsBad)) return undefined;
    return isGood(check) ? "good" : { bad: toFailure(check) };
  },
  opens: {
    run: {
      checks: pageChecks,
      // An endpoint that the first extra check finds bad has its last extra check so much later.
      forMs: 14 * minuteMs,
      samples: 2,
      together: { endpoints: endpointIds.length, checks: pageChecks, each: 2, forMs: pageAfterMs },
    },
  },
  closes: { checks: 2, forMs: 4 * minuteMs },
  harder: [
    { while: "error-rate", checks: 8, forMs: 30 * minuteMs },
    { while: "partial-drift", checks: 8, forMs: 9 * minuteMs },
  ],
  label: ({ label }) => label,
  name: (incident) => findCause(incident),
  facts: (incident) => failureFacts(incident),
  group: "failure",
});

export const throttled = row<object, Failure>({
  id: "throttled",
  severity: "page",
  inhibitedBy: ["failure"],
  mark: (check) =>
    check.class === "throttled" ? { bad: toFailure(check) } : isGood(check) ? "good" : undefined,
  opens: {
    run: {
      checks: 3,
      forMs: 30 * minuteMs,
      together: { endpoints: endpointIds.length, checks: 6, each: 2, forMs: 30 * minuteMs },
    },
  },
  closes: { checks: 2, forMs: 4 * minuteMs },
  // Limits of requests are often met by half of them: twelve in a row are no chance then.
  harder: [{ while: "error-rate", checks: 12, forMs: 30 * minuteMs }],
  label: ({ label }) => label,
  facts: ({ labels, parts, endpoints }): RuleFacts => ({
    responses: labels,
    lastResponse: latestMarks(parts, endpoints)[0]?.value.label,
  }),
  group: "failure",
});

/** Four fifths of the failures are 401: it is a rate of 401s. */
const unauthorizedShare = 0.8;

export const errorRate = row<object, string>({
  id: "error-rate",
  severity: "warning",
  inhibitedBy: ["failure", "throttled"],
  looksAt: { reasons: ["scheduled"] },
  mark: (check) => {
    if (check.class === "none" || isLie(check)) return undefined;
    return isGood(check) ? "good" : { bad: check.label };
  },
  opens: {
    share: [
      { bad: 12, of: 36, severity: "page" },
      { bad: 7, share: 0.05 },
    ],
  },
  closes: { bad: 3 },
  label: (label) => label,
  name: ({ labels }) => {
    const total = Object.values(labels).reduce((sum, count) => sum + count, 0);
    return (labels["401"] ?? 0) >= unauthorizedShare * total ? "unauthorized-rate" : "error-rate";
  },
  facts: ({ labels }): RuleFacts => ({ responses: labels }),
});

export const anonymousRefused = row<{ wasServed?: boolean }, string>({
  id: "anonymous-refused",
  severity: "warning",
  inhibitedBy: ["failure"],
  looksAt: { variants: ["anonymous"] },
  mark: (check, before, { history }) => {
    // Where every check is anonymous, or the key is refused as well, it is another fault.
    if (check.isPrimary || latestOf(history, check.endpoint)?.class !== "ok") return undefined;
    if (isGood(check)) return "good";
    return before.wasServed && isRefused(check) ? { bad: check.label } : undefined;
  },
  learn: (before, check) => {
    before.wasServed ||= isGood(check);
  },
  opens: {
    run: {
      checks: 3,
      forMs: 4 * minuteMs,
      together: { endpoints: 2, checks: 3, each: 1, forMs: 4 * minuteMs },
    },
  },
  closes: { checks: 2, forMs: 0 },
});

// ------------------------------------------------------------------------------------------------ causes
/** Classes that mean the same thing are one kind. */
const kinds: Partial<Record<ResponseClass, RuleId | "refused" | "removed">> = {
  failed: "down",
  unauthorized: "refused",
  quota: "refused",
  forbidden: "access-refused",
  throttled: "throttled",
  "not-found": "removed",
  gone: "removed",
  redirect: "removed",
  "v2-shape": "serves-v2",
  "error-envelope": "error-envelope",
  "not-json": "not-json",
  empty: "empty-list",
  stub: "stub-data",
  unsafe: "unsafe-response",
};

const latestMarks = (
  parts: Partial<Record<string, Part<Failure>>>,
  endpoints: readonly string[],
): StoredMark<Failure>[] =>
  endpoints.flatMap((endpoint) => parts[endpoint]?.recent ?? []).sort((a, b) => b.atMs - a.atMs);

function mostFrequent<Item>(items: readonly Item[]): Item {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]![0];
}

/** V1 ends on the announced or configured day. */
function endMsOf({ history, settings }: IncidentView): number | undefined {
  const { retirementDate } = settings;
  return announcedEndMs(history) ?? (retirementDate === undefined ? undefined : endOfDayMs(retirementDate));
}

const lastingCauses: readonly RuleId[] = ["gone", "withdrawn", "maybe-retired", "retired"];

/** Since when every cause was a refusal or a removal: another failure before it is no sign of a retirement. */
function lastingSinceMs({ causes, firstMs, nowMs }: IncidentView): number {
  const index = causes.findLastIndex(({ rule }) => !lastingCauses.includes(rule));
  return causes.length === 0 ? firstMs : (causes[index + 1]?.fromMs ?? nowMs);
}

/** "Retired" needs a day of refusal, or an announced date and service until it. */
function isRetired(incident: IncidentView<Failure>): boolean {
  const { isWide, allBadSinceMs, nowMs, firstMs } = incident;
  if (!isWide || allBadSinceMs === undefined) return false;
  const isLasting = latestMarks(incident.parts, incident.endpoints).every(({ value }) =>
    ["removed", "refused"].includes(kinds[value.class] ?? ""),
  );
  const sinceMs = Math.max(allBadSinceMs, lastingSinceMs(incident));
  const endMs = endMsOf(incident);
  const isAnnounced = endMs !== undefined && endMs <= nowMs && Math.abs(firstMs - endMs) < dayMs;
  return isLasting && (nowMs - sinceMs >= retiredAfterMs || isAnnounced);
}

/** Why a failure fails: one pure function of the outcomes of its latest bad checks and of the anonymous ones. */
function findCause(incident: IncidentView<Failure>): RuleId {
  const recent = latestMarks(incident.parts, incident.endpoints)
    .slice(0, 3)
    .map(({ value }) => value);
  const kind = mostFrequent(recent.map((value) => kinds[value.class] ?? "down"));
  if (kind === "removed") {
    if (isRetired(incident)) return "retired";
    const removed = recent.filter((value) => kinds[value.class] === "removed");
    return mostFrequent(removed.map((value) => value.class)) === "gone" ? "gone" : "withdrawn";
  }
  return kind === "refused" ? findRefusal(incident, recent) : kind;
}

/** Who gets 401: our key, everybody, or whoever is over a quota. */
function findRefusal(incident: IncidentView<Failure>, recent: readonly Failure[]): RuleId {
  if (recent[0]!.class === "quota") return "quota-exhausted";
  if (!incident.isWide) return "access-refused";
  const { served, refused, latest } = countAnonymous(incident, lastRefusedMs(incident) + besideMs);
  if (latest === "served") return "key-refused";
  const isClosed = incident.history.isAnonymousEverServed && (refused > 0 || isKeyless(incident));
  return isClosed && served === 0 && isRetired(incident) ? "retired" : "maybe-retired";
}

const isKeyless = ({ history }: IncidentView) => history.primary === "anonymous";

/** An anonymous check that was served after the last refused one says that V1 is back, and not that the key is refused. */
const lastRefusedMs = ({ parts, endpoints }: IncidentView<Failure>): number =>
  latestMarks(parts, endpoints)[0]?.atMs ?? 0;
const besideMs = minuteMs;

/** Anonymous checks from the first bad check on. */
function countAnonymous({ history, endpoints, firstMs }: IncidentView, servedUntilMs = Infinity) {
  const since = history.anonymous.filter(
    (check) =>
      check.atMs >= firstMs &&
      (check.state === "refused" || check.atMs <= servedUntilMs) &&
      endpoints.includes(check.endpoint) &&
      check.state !== "other",
  );
  const served = since.filter(({ state }) => state === "served").length;
  return { served, refused: since.length - served, latest: since.at(-1)?.state };
}

function failureFacts(incident: IncidentView<Failure>): RuleFacts {
  const marks = latestMarks(incident.parts, incident.endpoints);
  const latest = marks[0]?.value;
  const facts: RuleFacts = { responses: incident.labels, lastResponse: latest?.label };
  const kind = latest && kinds[latest.class];
  const endMs = endMsOf(incident);
  if (endMs !== undefined) facts.announcedEnd = new Date(endMs).toISOString();
  if (latest?.certificateMs !== undefined) facts.expiresAt = new Date(latest.certificateMs).toISOString();
  if (latest?.isWebPage) facts.isWebPage = true;
  if (latest?.redirect) facts.redirectsTo = latest.redirect;
  if (kind === "removed") {
    const samples = new Set(marks.flatMap(({ sample }) => sample ?? []));
    facts.samples = samples.size;
  }
  if (kind === "empty-list" && latest?.total !== undefined) facts.records = latest.total;
  if (latest?.class === "quota") {
    facts.usageCurrent = latest.usage?.current;
    facts.usageLimit = latest.usage?.limit;
  } else if (kind === "refused") {
    const { served, refused } = countAnonymous(incident);
    const wasServed = incident.history.isAnonymousEverServed === true;
    facts.anonymousBefore = wasServed
      ? "served"
      : served + refused > 0 || isKeyless(incident)
        ? "never-served"
        : "not-checked";
    if (!isKeyless(incident)) {
      facts.anonymousServed = served;
      facts.anonymousRefused = refused;
    }
  }
  return facts;
}
