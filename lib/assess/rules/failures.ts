// Whether V1 serves what is asked: outages with their cause, throttling, failures now and then, and requests without a key.
import { thresholds } from "../../config/thresholds.ts";
import { type EndpointId, endpointIds } from "../../contract/endpoints.ts";
import type { RuleId } from "../../records/incident.ts";
import { isGood, isRefused, type ResponseClass } from "../../records/outcome.ts";
import { dayMs, hourMs, minuteMs } from "../../time.ts";
import { type Check, isLie } from "../checks/check.ts";
import { latestOf, maxAnonymous } from "../checks/history.ts";
import type { History } from "../checks/types.ts";
import { isPartial } from "../engine/partial.ts";
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
  notesUncounted: true,
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
    // Where some responses are not V1's, that V1 refuses or fails is another fault.
    { while: "partial-drift", checks: 8, forMs: 9 * minuteMs, explains: isLie },
  ],
  label: ({ label }) => label,
  kind: (value) => value.class,
  shows: (cause, kind) => showing[cause]?.includes(kind as ResponseClass) ?? false,
  name: (incident) => findCause(incident),
  facts: (incident) => failureFacts(incident),
  group: "failure",
});

export const throttled = row<object, Failure>({
  id: "throttled",
  severity: "page",
  countsAll: true,
  inhibitedBy: ["failure"],
  // A request that failed in another way was not throttled: that is told as a failure.
  mark: (check) => {
    if (check.class === "none") return undefined;
    return check.class === "throttled" ? { bad: toFailure(check) } : "good";
  },
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
  facts: ({ counted, parts, endpoints }): RuleFacts<"throttled"> => ({
    responses: counted.labels,
    lastResponse: latestMarks(parts, endpoints)[0]?.value.label,
  }),
  group: "failure",
});

/** Four fifths of the failures are 401: it is a rate of 401s. */
const unauthorizedShare = 0.8;

export const errorRate = row<object, string>({
  id: "error-rate",
  severity: "warning",
  countsAll: true,
  inhibitedBy: ["failure", "throttled"],
  looksAt: { reasons: ["scheduled"] },
  mark: (check) => {
    if (check.class === "none" || isLie(check)) return undefined;
    return isGood(check) ? "good" : { bad: check.label };
  },
  opens: {
    share: [
      { bad: 12, of: 36, severity: "page" },
      { bad: 6, of: 14, turns: { withinMs: 2 * hourMs, returns: 2 }, severity: "page" },
      { bad: 7, share: 0.05 },
    ],
  },
  closes: {},
  label: (label) => label,
  name: ({ counted: { labels } }) => {
    const total = Object.values(labels).reduce((sum, count) => sum + count, 0);
    return (labels["401"] ?? 0) >= unauthorizedShare * total ? "unauthorized-rate" : "error-rate";
  },
  facts: ({ counted }): RuleFacts<"error-rate"> => ({ responses: counted.labels }),
});

/** So many checks of the endpoint in a row: fewer are chance where V1 refuses some requests, whoever makes them. */
const servedInARow = 5;

const isKeyServed = (history: History, endpoint: EndpointId): boolean => {
  const own = latestOf(history, endpoint);
  const isRefusedElsewhere = endpointIds.some((one) => {
    const latest = latestOf(history, one);
    return latest !== undefined && isRefused(latest);
  });
  return own?.class === "ok" && own.times >= servedInARow && !isRefusedElsewhere;
};

export const anonymousRefused = row<{ wasServed?: boolean }, string>({
  id: "anonymous-refused",
  severity: "warning",
  // While V1 refuses or fails some requests, whoever makes them, those without the key say nothing of it.
  inhibitedBy: ["failure", "error-rate"],
  looksAt: { variants: ["anonymous"] },
  mark: (check, before, { history }) => {
    // Where every check is anonymous, or the key is refused as well, now or now and then, it is another fault.
    if (check.isPrimary) return undefined;
    if (isGood(check)) return "good";
    if (!isKeyServed(history, check.endpoint)) return undefined;
    // Our own quota says nothing of how V1 treats others.
    const isRefusal = isRefused(check) && check.class !== "quota";
    return before.wasServed && isRefusal ? { bad: check.label } : undefined;
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

const removals: readonly ResponseClass[] = ["not-found", "gone", "redirect"];
/** What a check got that shows a cause. */
const showing: Partial<Record<RuleId, readonly ResponseClass[]>> = {
  down: ["failed"],
  "key-refused": ["unauthorized", "quota"],
  "maybe-retired": ["unauthorized", "quota"],
  retired: ["unauthorized", ...removals],
  "quota-exhausted": ["quota"],
  "access-refused": ["forbidden", "unauthorized"],
  throttled: ["throttled"],
  withdrawn: removals,
  gone: removals,
  "serves-v2": ["v2-shape"],
  "error-envelope": ["error-envelope"],
  "not-json": ["not-json"],
  "empty-list": ["empty"],
  "stub-data": ["stub"],
  "unsafe-response": ["unsafe"],
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

/** An endpoint ends on the day that it announces, or else on the configured one. */
function endMsOf({ ends, settings }: IncidentView, endpoint: EndpointId): number | undefined {
  const { retirementDate } = settings;
  return ends[endpoint]?.endMs ?? (retirementDate === undefined ? undefined : endOfDayMs(retirementDate));
}

const lastingCauses: readonly RuleId[] = ["gone", "withdrawn", "maybe-retired", "retired"];

/** Since when every cause was a refusal or a removal: another failure before it is no sign of a retirement. */
function lastingSinceMs({ causes, firstMs, nowMs }: IncidentView): number {
  const index = causes.findLastIndex(({ rule }) => !lastingCauses.includes(rule));
  return causes.length === 0 ? firstMs : (causes[index + 1]?.fromMs ?? nowMs);
}

/**
 * "Retired" needs a day of refusal, or an announced date and service until it. A good check now and then does not undo it; of what
 * comes and goes only the refusals since the last good check count.
 */
function isRetired(incident: IncidentView<Failure>): boolean {
  const { isWide, comesAndGoes, badSinceMs, nowMs, parts, endpoints, causes } = incident;
  if (!isWide || isPartial(incident.counted)) return false;
  if (!comesAndGoes && causes.at(-1)?.rule === "retired") return true;
  const isLasting = latestMarks(parts, endpoints).every(({ value }) =>
    ["removed", "refused"].includes(kinds[value.class] ?? ""),
  );
  if (!isLasting || endpoints.some((endpoint) => badSinceMs[endpoint] === undefined)) return false;
  const sinceMsOf = (endpoint: EndpointId) =>
    comesAndGoes ? badSinceMs[endpoint] : parts[endpoint]?.firstMs;
  const onsetMs = Math.max(...endpoints.map((endpoint) => sinceMsOf(endpoint) ?? nowMs));
  const lastingMs = nowMs - Math.max(onsetMs, lastingSinceMs(incident));
  return lastingMs >= retiredAfterMs || endpoints.every((one) => hasEnded(incident, one));
}

/** It was served until its own date. */
function hasEnded(incident: IncidentView, endpoint: EndpointId): boolean {
  const endMs = endMsOf(incident, endpoint);
  const sinceMs = incident.badSinceMs[endpoint];
  if (endMs === undefined || sinceMs === undefined) return false;
  return endMs <= incident.nowMs && Math.abs(sinceMs - endMs) < dayMs;
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

/** What is said of a refusal until it is known who is refused, or where V1 refuses now these requests and now others. */
function undecidedRefusal({ causes, isWide }: IncidentView): RuleId {
  const current = causes.at(-1)?.rule;
  if (current === "key-refused") return current;
  return isWide && (current === "maybe-retired" || current === "retired") ? current : "access-refused";
}

/** Who gets 401: our key, everybody, or whoever is over a quota. */
function findRefusal(incident: IncidentView<Failure>, recent: readonly Failure[]): RuleId {
  if (recent[0]!.class === "quota") return "quota-exhausted";
  const undecided = undecidedRefusal(incident);
  const anonymous = latestAnonymous(incident);
  // The key says nothing where some requests with it are served, and neither do others where some of them are.
  if (anonymous === "mixed" || isPartial(incident.counted)) return undecided;
  // Of single endpoints it may be the key or a rule of theirs; where all refused the key, those that are left do.
  if (anonymous === "served") return incident.isWide ? "key-refused" : undecided;
  if (!incident.isWide) return "access-refused";
  // Where an endpoint is served by now, not every request is refused.
  const isServed = incident.endpoints.some((endpoint) => incident.badSinceMs[endpoint] === undefined);
  if (isServed) return incident.causes.at(-1)?.rule ?? undecided;
  const isClosed = incident.history.isAnonymousEverServed && (anonymous === "refused" || isKeyless(incident));
  return isClosed && isRetired(incident) ? "retired" : "maybe-retired";
}

const isKeyless = ({ history }: IncidentView) => history.primary === "anonymous";

/** An anonymous check that was served after the last refused one says that V1 is back, and not that the key is refused. */
const besideMs = minuteMs;
/** So many anonymous checks have to agree, where there are so many. */
const agreeing = 3;

/** What the latest anonymous checks got beside the refused ones. */
function latestAnonymous(incident: IncidentView<Failure>): "served" | "refused" | "mixed" | "none" {
  const untilMs = (latestMarks(incident.parts, incident.endpoints)[0]?.atMs ?? 0) + besideMs;
  const latest = anonymousChecks(incident)
    .filter(({ atMs, state }) => state === "refused" || atMs <= untilMs)
    .slice(-agreeing);
  const served = latest.filter(({ state }) => state === "served").length;
  if (latest.length === 0) return "none";
  return served === latest.length ? "served" : served === 0 ? "refused" : "mixed";
}

/** The status came with a web page in nine tenths of the latest checks that failed in this way. */
function haveWebPage(marks: readonly StoredMark<Failure>[]): boolean {
  const alike = marks.filter(({ value }) => value.class === marks[0]?.value.class);
  const pages = alike.filter(({ value }) => value.isWebPage);
  return pages.length >= 2 && pages.length >= 0.9 * alike.length;
}
/** Anonymous checks from the first bad check on that were served or refused. */
const anonymousChecks = ({ history, endpoints, firstMs }: IncidentView) =>
  history.anonymous.filter(
    ({ atMs, endpoint, state }) => atMs >= firstMs && endpoints.includes(endpoint) && state !== "other",
  );

function failureFacts(incident: IncidentView<Failure>): RuleFacts<"down"> {
  const marks = latestMarks(incident.parts, incident.endpoints);
  const latest = marks[0]?.value;
  const facts: RuleFacts<"down"> = { responses: incident.counted.labels, lastResponse: latest?.label };
  const kind = latest && kinds[latest.class];
  const ends = incident.endpoints.flatMap((endpoint) => {
    const endMs = endMsOf(incident, endpoint);
    const isConfirmed = (incident.ends[endpoint]?.checks ?? 2) >= 2;
    return endMs === undefined || !isConfirmed ? [] : [[endpoint, new Date(endMs).toISOString()] as const];
  });
  if (ends.length > 0) {
    const isOne = ends.length === incident.endpoints.length && new Set(ends.map(([, end]) => end)).size === 1;
    facts.announcedEnd = ends.map(([, end]) => end).sort()[0];
    facts.announcedEnds = isOne ? undefined : Object.fromEntries(ends);
  }
  if (haveWebPage(marks)) facts.isWebPage = true;
  if (latest?.certificateMs !== undefined) facts.expiresAt = new Date(latest.certificateMs).toISOString();
  if (latest?.redirect) facts.redirectsTo = latest.redirect;
  if (kind === "removed") {
    const own = marks.filter(({ atMs }) => atMs >= incident.firstMs);
    const samples = new Set(own.flatMap(({ sample }) => sample ?? []));
    facts.samples = samples.size;
  }
  facts.records = latest?.total;
  if (latest?.class === "quota") {
    facts.usageCurrent = latest.usage?.current;
    facts.usageLimit = latest.usage?.limit;
  } else if (kind === "refused") {
    const anonymous = anonymousChecks(incident);
    const served = anonymous.filter(({ state }) => state === "served").length;
    const refused = anonymous.length - served;
    const wasServed = incident.history.isAnonymousEverServed === true;
    facts.anonymousBefore = wasServed
      ? "served"
      : served + refused > 0 || isKeyless(incident)
        ? "never-served"
        : "not-checked";
    if (!isKeyless(incident)) {
      facts.anonymousServed = served;
      facts.anonymousRefused = refused;
      const [first] = incident.history.anonymous;
      if (incident.history.anonymous.length >= maxAnonymous && first && first.atMs > incident.firstMs)
        facts.anonymousSince = new Date(first.atMs).toISOString();
    }
  }
  return facts;
}
