// What is remembered of one incident: which rule, where, since when, and the facts that its messages are made of.
import * as z from "zod";
import { endpointIds, variants } from "../contract/endpoints.ts";
import { safeLine } from "./observation.ts";
import { notSentReasons } from "./outcome.ts";

export const severities = ["page", "warning", "info"] as const;
export type Severity = (typeof severities)[number];

/** The causes that a failure may have. */
export const failureRules = [
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
] as const;

/** Every rule, and its heading in docs/use/runbook.md. */
export const ruleIds = [
  ...failureRules,
  "error-rate",
  "unauthorized-rate",
  "anonymous-refused",
  "sunset",
  "sunset-passed",
  "deprecation",
  "recurring-outages",
  "breaking-drift",
  "partial-drift",
  "sublist-empty",
  "equal-scores",
  "data-shrinking",
  "dates-without-values",
  "dates-always-now",
  "partly-frozen",
  "frozen",
  "date-jumped-back",
  "future-dates",
  "scores-jumped",
  "duplicate-records",
  "null-fields",
  "wrong-record",
  "variant-changed",
  "slow",
  "certificate",
  "budget",
  "no-secret",
  "address-refused",
  "proxy-failed",
  "no-sample",
  "silent",
  "undelivered",
  "rule-failed",
] as const;
export type RuleId = (typeof ruleIds)[number];

/** About the watch itself: they say nothing of V1. */
export const ownRules: ReadonlySet<RuleId> = new Set([
  "budget",
  "no-secret",
  "address-refused",
  "proxy-failed",
  "no-sample",
  "silent",
  "undelivered",
  "rule-failed",
]);

export const scopes = ["api", "endpoint"] as const;

const instant = z.iso.datetime();
const count = z.int().nonnegative();
const endpoint = z.enum(endpointIds);
const byEndpoint = <Value extends z.ZodType>(value: Value) => z.partialRecord(endpoint, value);

/** A finding that a drift incident is about. */
const driftFact = z.strictObject({
  id: safeLine(160),
  path: safeLine(100),
  kind: safeLine(20),
  expected: safeLine(40),
  observed: safeLine(40),
  /** Records with it, of those in the last response that showed it. */
  records: count,
  ofRecords: count,
});
export type DriftFact = z.infer<typeof driftFact>;

/** One outage as it was measured: it began after `after`, at or before `firstBad`. */
const windowFact = z.strictObject({
  after: instant.nullable(),
  firstBad: instant,
  lastBad: instant,
  firstGood: instant.nullable(),
});

/** What the checks of one endpoint showed: nothing in it is counted over several endpoints. */
const factRow = z.strictObject({
  endpoint,
  /** Where these are not the checks with the key. */
  variant: z.enum(variants).optional(),
  /** From the first bad check to the last, or within the window of a rate. */
  bad: count,
  total: count,
  /** Further checks of this time that V1 throttled: of a failure they say nothing before it is open. */
  throttled: count.optional(),
  /** What the bad checks got, the most frequent first. */
  got: z.array(z.strictObject({ label: safeLine(40), count })).max(13),
  firstBadAt: instant,
  lastBadAt: instant,
  lastGoodBeforeAt: instant.nullable(),
  firstGoodAfterAt: instant.nullable(),
  /** It came and went since then, and the row is about the bad checks in a row by now. */
  onAndOffSince: instant.optional(),
  /** Of a rate: the time in which its checks are counted, and whether some of them are not. */
  window: z.strictObject({ from: instant, to: instant }).optional(),
  hasUncounted: z.literal(true).optional(),
});
export type FactRow = z.infer<typeof factRow>;

/** Counted from the check history; every number and instant of a message is one of these. */
export const facts = z.strictObject({
  rule: z.enum(ruleIds),
  scope: z.enum(scopes),
  /** Those over which `bad` and `total` are counted. */
  endpoints: z.array(endpoint),
  /** The onset lies after the last good check and at or before the first bad one. */
  firstBadAt: instant,
  lastGoodBeforeAt: instant.nullable(),
  lastBadAt: instant,
  firstGoodAfterAt: instant.nullable(),
  /** From the first bad check to the last, or within `windowSeconds` for a rate. */
  bad: count,
  total: count,
  windowSeconds: z.number().nonnegative(),
  /** Each endpoint that it is or was about, by its own checks. Absent in what an earlier release stored, and where no check shows it. */
  rows: z.array(factRow).max(endpointIds.length).optional(),
  /** Of a rate: checks of the window inside other incidents, and responses that are not V1's, are not counted. */
  hasCovered: z.literal(true).optional(),
  /** Of a share: checks of all kinds are counted, confirmations too, and not only the scheduled ones. */
  isOfAllChecks: z.literal(true).optional(),
  /** No cause is shown by nine tenths of the bad checks. */
  isMixed: z.literal(true).optional(),
  /** The causes of one outage, each from the first check that showed it: those that checks carry. */
  causes: z
    .array(z.strictObject({ rule: z.enum(ruleIds), from: instant }))
    .max(6)
    .optional(),
  /** It is bad again and again: it ends once it has stayed away. */
  comesAndGoes: z.literal(true).optional(),
  /** An earlier release stored these; the rows hold what they did. */
  recovered: z.unknown().optional(),
  spans: z.unknown().optional(),
  earlier: z.unknown().optional(),
  lastsSince: z.unknown().optional(),

  /** What the bad checks got: `401`, `503`, `timeout`. */
  responses: z.record(safeLine(40), count).optional(),
  /** What the last bad check got. */
  lastResponse: safeLine(40).optional(),
  /** Anonymous checks from the first bad check on, and whether anonymous was ever served before. */
  anonymousServed: count.optional(),
  anonymousRefused: count.optional(),
  /** The first of them, where those before it are no longer kept. */
  anonymousSince: instant.optional(),
  anonymousBefore: z.enum(["served", "never-served", "not-checked"]).optional(),
  usageCurrent: count.optional(),
  usageLimit: count.optional(),
  samples: count.optional(),
  /** The status came with a web page; the redirect leads there. */
  isWebPage: z.literal(true).optional(),
  redirectsTo: z.enum(["v1", "other-version", "login", "elsewhere"]).optional(),
  /** When V1 ends, by its own headers or by the configuration: the earliest end of these endpoints; each where they differ. */
  announcedEnd: instant.optional(),
  announcedEnds: byEndpoint(instant).optional(),
  /** The earliest announced date that is ahead, or the earliest one; `dateText` where one cannot be read. */
  date: instant.optional(),
  /** Of each endpoint whose date checks agree on; of the others why there is none. */
  dates: byEndpoint(instant).optional(),
  undated: byEndpoint(z.enum(["always-ahead", "unreadable", "unsteady", "unconfirmed"])).optional(),
  dateText: safeLine(64).optional(),
  /** The dates that were told before, of endpoints that have another one now; the earliest of them. */
  previousDates: byEndpoint(instant).optional(),
  previousDate: instant.optional(),
  /** Endpoints that were still served after their date. */
  outlived: z.array(endpoint).optional(),
  /** The date moves with the clock. */
  aheadDays: z.int().optional(),
  source: z.enum(["sunset", "configured"]).optional(),
  notices: z.array(safeLine(80)).optional(),
  /** Of each endpoint, where they differ. */
  noticesOf: byEndpoint(z.array(safeLine(80))).optional(),
  windows: z.array(windowFact).max(12).optional(),
  next: z.strictObject({ after: instant, from: instant, until: instant.nullable() }).optional(),
  /** It is an outage of a recognised window, which is expected to end then. */
  expectedUntil: instant.optional(),
  /** "on workdays", "every 7 days" */
  pattern: safeLine(40).optional(),
  findings: z.array(driftFact).max(24).optional(),
  findingsOmitted: count.optional(),
  newestDate: instant.optional(),
  previousNewestDate: instant.optional(),
  standsStillSeconds: z.number().nonnegative().optional(),
  limitSeconds: z.number().nonnegative().optional(),
  longestGapSeconds: z.number().nonnegative().optional(),
  records: count.optional(),
  /** Records with the most frequent overall score. */
  equalRecords: count.optional(),
  recordsBefore: count.optional(),
  recordsBeforeAt: instant.optional(),
  movedRecords: count.optional(),
  changedRecords: count.optional(),
  /** Records that have had the same date since then. */
  stillRecords: count.optional(),
  stillSince: instant.optional(),
  medianScore: z.number().optional(),
  medianScoreBefore: z.number().optional(),
  duplicates: count.optional(),
  isOnTwoPages: z.literal(true).optional(),
  nullFields: z
    .array(z.strictObject({ path: safeLine(100), nulls: count, of: count }))
    .max(12)
    .optional(),
  variant: z.enum(variants).optional(),
  latencyMs: z.number().nonnegative().optional(),
  usualLatencyMs: z.number().nonnegative().optional(),
  expiresAt: instant.optional(),
  requestsLeft: count.optional(),
  requestsPerMonth: count.optional(),
  /** All requests that are left are needed for scheduled checks. */
  isReserveSpent: z.literal(true).optional(),
  daysLeft: z.int().optional(),
  /** Why checks that were due were not sent. */
  notSent: z.enum(notSentReasons).optional(),
  /** Parts of the assessment that threw, with the name of the error: `{ sunset: "TypeError" }`. */
  failedParts: z.record(safeLine(40), safeLine(40)).optional(),
});
export type Facts = z.infer<typeof facts>;

/** What the facts of a rule always have, beside what those of all rules have; an earlier release may have stored them without. */
export const factsOfRules = {
  "unauthorized-rate": ["responses"],
  deprecation: ["notices"],
  "recurring-outages": ["windows", "next", "pattern"],
  "breaking-drift": ["findings"],
  "partial-drift": ["responses", "findings"],
  "sublist-empty": ["samples"],
  "equal-scores": ["equalRecords", "records"],
  "data-shrinking": ["records", "recordsBefore", "recordsBeforeAt"],
  "dates-without-values": ["movedRecords", "changedRecords"],
  "dates-always-now": ["records", "limitSeconds"],
  "partly-frozen": ["stillRecords", "records", "stillSince"],
  frozen: ["newestDate", "standsStillSeconds", "limitSeconds"],
  "date-jumped-back": ["newestDate", "previousNewestDate"],
  "future-dates": ["records"],
  "scores-jumped": ["medianScore", "medianScoreBefore"],
  "duplicate-records": ["duplicates"],
  "null-fields": ["nullFields"],
  "variant-changed": ["variant", "lastResponse"],
  slow: ["latencyMs"],
  certificate: ["expiresAt", "daysLeft"],
  budget: ["requestsLeft", "requestsPerMonth"],
  "proxy-failed": ["responses"],
  "rule-failed": ["failedParts"],
} as const satisfies Partial<Record<RuleId, readonly (keyof Facts)[]>>;

/** The names of these facts. */
export type FactName<Rule extends RuleId> = Rule extends keyof typeof factsOfRules
  ? (typeof factsOfRules)[Rule][number]
  : never;
export type FactsOf<Rule extends RuleId> = Rule extends RuleId
  ? Facts & { [Name in FactName<Rule>]: NonNullable<Facts[Name]> }
  : never;

export function hasOwnFacts(facts: Facts): facts is FactsOf<RuleId> {
  const names: Partial<Record<RuleId, readonly (keyof Facts)[]>> = factsOfRules;
  return (names[facts.rule] ?? []).every((name) => facts[name] !== undefined);
}

export const incidentStates = ["pending", "firing", "resolved"] as const;

export const incident = z.strictObject({
  schema: z.literal("v1watch/incident/3"),
  /** Contains the start of the occurrence: a fault that returns is another incident. */
  id: safeLine(80),
  rule: z.enum(ruleIds),
  scope: z.enum(scopes),
  endpoints: z.array(endpoint),
  severity: z.enum(severities),
  state: z.enum(incidentStates),
  /** The first bad check of the occurrence. */
  since: instant,
  openedAt: instant.optional(),
  resolvedAt: instant.optional(),
  facts,
  /** What it is about: a message is sent when it differs from that of the last message. */
  key: z.string().max(300),
  /** A wider incident took its place: it did not end. */
  supersededBy: z.string().max(80).optional(),
  /** Alerts about it, in order; none where it is muted or where the limit of openings was reached. */
  sent: z.array(z.strictObject({ event: z.string().max(12), at: instant, key: z.string().max(300) })),
});
export type Incident = z.infer<typeof incident>;

/** The first good check, or where another incident took its place; undefined while it lasts. */
export const endOf = ({ state, facts, resolvedAt }: Incident): string | undefined =>
  state === "resolved" ? (facts.firstGoodAfterAt ?? resolvedAt) : undefined;

/** A person's decision on an incident, a rule or a finding, with its reason. */
export const decision = z.strictObject({
  schema: z.literal("v1watch/decision/1"),
  kind: z.enum(["ack", "mute"]),
  /** An incident's id, a rule's id, an endpoint, a finding's id, or `everything`. */
  subject: safeLine(160),
  reason: safeLine(200).min(1),
  at: instant,
  /** When a mute begins, where that is later than the decision. */
  from: instant.optional(),
  until: instant.optional(),
});
export type Decision = z.infer<typeof decision>;

/** The subject of a mute that is a maintenance window: no notification is sent but the end of what was announced. */
export const everything = "everything";

export const startMsOf = ({ at, from }: Decision): number => Date.parse(from ?? at);

/** The decision that mutes a subject at that time. Of several the newest counts, so a short one ends a long one. */
export function findMute(
  decisions: readonly Decision[],
  subject: string,
  atMs: number,
): Decision | undefined {
  let newest: Decision | undefined;
  for (const decision of decisions) {
    if (decision.kind !== "mute" || decision.subject !== subject || startMsOf(decision) > atMs) continue;
    if (!newest || startMsOf(decision) >= startMsOf(newest)) newest = decision;
  }
  const isOver = newest?.until !== undefined && Date.parse(newest.until) <= atMs;
  return isOver ? undefined : newest;
}

export const isMuted = (decisions: readonly Decision[], subject: string, atMs: number): boolean =>
  findMute(decisions, subject, atMs) !== undefined;

/** By its id, its rule, all of its endpoints, or a mute of everything. */
export const isIncidentMuted = (
  { id, rule, endpoints }: Pick<Incident, "id" | "rule" | "endpoints">,
  decisions: readonly Decision[],
  atMs: number,
): boolean =>
  isMuted(decisions, id, atMs) ||
  isMuted(decisions, rule, atMs) ||
  isMuted(decisions, everything, atMs) ||
  (endpoints.length > 0 && endpoints.every((endpoint) => isMuted(decisions, endpoint, atMs)));

export const isAcknowledged = (
  { id }: Pick<Incident, "id">,
  decisions: readonly Decision[],
  atMs: number,
): boolean =>
  decisions.some(({ kind, subject, at, until }) => {
    const isOver = until !== undefined && Date.parse(until) <= atMs;
    return kind === "ack" && subject === id && Date.parse(at) <= atMs && !isOver;
  });
