// Recomputes every number and instant of an alert from the raw observations. It knows the observations and the alerts
// that were sent, and nothing of the check history or of the rules.
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { Facts } from "../../lib/records/incident.ts";
import type { Observation } from "../../lib/records/observation.ts";

type Quality = "good" | "bad" | "neutral";

/** Its own reading of an observation; a 404 of a single sample is left to the tests that are about samples. */
function qualityOf({ outcome, notices, findings, endpoint, attempts }: Observation): Quality {
  if (outcome.kind === "no-secret") return "neutral";
  if (outcome.kind === "refused")
    return outcome.detail === "address" && attempts.length > 0 ? "bad" : "neutral";
  if (outcome.kind !== "ok") return "bad";
  if (notices.body === "v2-shaped" || notices.body === "stub-data") return "bad";
  if (notices.body === "empty" && endpoint === "passport-list") return "bad";
  return findings.some(({ kind }) => kind === "envelope") ? "bad" : "good";
}

const failureRules = new Set([
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
]);

const ms = (instant: string) => Date.parse(instant);

/** The mistakes of one alert; none where every number holds. */
export function audit(
  alert: Alert,
  observations: readonly Observation[],
  before: readonly Alert[],
): string[] {
  const { facts } = alert;
  if (!facts) return [];
  const known = observations.filter(({ at }) => at <= alert.at);
  const mistakes = [...auditInterval(facts), ...auditText(alert, facts)];
  if (failureRules.has(facts.rule)) mistakes.push(...auditFailure(alert, facts, known));
  else if (facts.rule === "error-rate" || facts.rule === "unauthorized-rate")
    mistakes.push(...auditRate(facts, known, before));
  else if (facts.findings) mistakes.push(...auditDrift(facts, known));
  else if (facts.rule === "sunset" || facts.rule === "deprecation")
    mistakes.push(...auditNotice(facts, known));
  return mistakes.map((text) => `${alert.id}: ${text}`);
}

/** An onset is an interval, and so is an end. */
function auditInterval({
  firstBadAt,
  lastBadAt,
  lastGoodBeforeAt,
  firstGoodAfterAt,
  bad,
  total,
  rule,
}: Facts): string[] {
  return [
    ...(firstBadAt > lastBadAt ? ["the first bad check is after the last"] : []),
    ...(lastGoodBeforeAt !== null && lastGoodBeforeAt > firstBadAt
      ? ["the last good check is after the first bad one"]
      : []),
    ...(firstGoodAfterAt !== null && firstGoodAfterAt < lastBadAt && rule !== "frozen"
      ? ["it ended before its last bad check"]
      : []),
    ...(bad > total ? [`${bad} of ${total}`] : []),
  ];
}

const isPrimaryOf = (endpoints: readonly EndpointId[]) => (one: Observation) =>
  one.isPrimary && endpoints.includes(one.endpoint) && qualityOf(one) !== "neutral";

function expectEqual(name: string, found: unknown, wanted: unknown): string[] {
  return found === wanted ? [] : [`${name} is ${String(found)}, the observations say ${String(wanted)}`];
}

function auditFailure(alert: Alert, facts: Facts, known: readonly Observation[]): string[] {
  const own = known.filter(isPrimaryOf(facts.endpoints)).sort((a, b) => (a.at < b.at ? -1 : 1));
  const inside = own.filter(({ at }) => at >= facts.firstBadAt && at <= facts.lastBadAt);
  const bad = inside.filter((one) => qualityOf(one) === "bad");
  const isAt = (at: string) => own.some((one) => one.at === at && qualityOf(one) === "bad");
  const lastGood = own.filter(({ at }) => at < facts.firstBadAt).findLast((one) => qualityOf(one) === "good");
  const after = own.filter(({ at }) => at > facts.lastBadAt);
  const anonymous = known.filter(
    (one) =>
      one.variant === "anonymous" &&
      !one.isPrimary &&
      facts.endpoints.includes(one.endpoint) &&
      one.at >= facts.firstBadAt,
  );
  const isResolved = alert.event === "resolved";
  return [
    ...(isAt(facts.firstBadAt) ? [] : ["no bad check at firstBadAt"]),
    ...(isAt(facts.lastBadAt) ? [] : ["no bad check at lastBadAt"]),
    ...expectEqual("total", facts.total, inside.length),
    ...expectEqual("bad", facts.bad, bad.length),
    ...expectEqual("lastGoodBeforeAt", facts.lastGoodBeforeAt, lastGood?.at ?? null),
    ...expectEqual(
      "responses",
      Object.values(facts.responses ?? {}).reduce((sum, count) => sum + count, 0),
      bad.length,
    ),
    ...(facts.anonymousServed === undefined || isResolved
      ? []
      : [
          ...expectEqual(
            "anonymousServed",
            facts.anonymousServed,
            anonymous.filter((one) => qualityOf(one) === "good").length,
          ),
          ...expectEqual(
            "anonymousRefused",
            facts.anonymousRefused,
            anonymous.filter((one) => qualityOf(one) === "bad").length,
          ),
        ]),
    ...(isResolved
      ? [
          ...expectEqual("firstGoodAfterAt", facts.firstGoodAfterAt, after[0]?.at),
          ...after
            .filter((one) => qualityOf(one) === "bad")
            .map(({ at }) => `RESOLVED, and the check at ${at} is bad`),
          ...facts.endpoints
            .filter((endpoint) => qualityOf(own.findLast((one) => one.endpoint === endpoint)!) === "bad")
            .map((endpoint) => `RESOLVED while ${endpoint} is bad`),
        ]
      : []),
    ...(facts.scope === "api"
      ? expectEqual("endpoints of an API claim", facts.endpoints.length, endpointIds.length)
      : []),
  ];
}

/** Exact where no outage was told before; else no more than was seen. */
function auditRate(facts: Facts, known: readonly Observation[], before: readonly Alert[]): string[] {
  const hasOutage = before.some(({ rule, event }) => failureRules.has(rule) && event === "opened");
  // Failures in a row that go on are an outage in the making: they count in neither.
  const isInRun = (one: Observation) => {
    const own = known
      .filter((other) => other.isPrimary && other.endpoint === one.endpoint && qualityOf(other) !== "neutral")
      .sort((a, b) => (a.at < b.at ? -1 : 1));
    const run = own.slice(own.findLastIndex((other) => qualityOf(other) === "good") + 1);
    return run.length >= 3 && run.some(({ id }) => id === one.id);
  };
  const scheduled = known
    .filter((one) => !isInRun(one))
    .filter((one) => one.reason === "scheduled" && isPrimaryOf(facts.endpoints)(one))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const bad = (rows: readonly Observation[]) => rows.filter((one) => qualityOf(one) === "bad").length;
  if (facts.limitShare === undefined) {
    // Of the last 36 scheduled checks: those of these endpoints.
    const window = scheduled.filter(({ at }) => ms(at) <= ms(facts.lastBadAt) + facts.windowSeconds * 1_000);
    return facts.bad > bad(window) ? [`${facts.bad} failures, the observations have ${bad(window)}`] : [];
  }
  const ends = scheduled.map(({ at }) => ms(at)).filter((at) => at >= ms(facts.lastBadAt));
  const fits = [...ends, ...ends.map((at) => Math.ceil(at / 3_600_000) * 3_600_000)].some((end) => {
    const window = scheduled.filter(({ at }) => ms(at) > end - facts.windowSeconds * 1_000 && ms(at) <= end);
    return hasOutage
      ? facts.bad <= bad(window) && facts.total <= window.length
      : facts.bad === bad(window) && facts.total === window.length;
  });
  return fits
    ? []
    : [`${facts.bad} of ${facts.total} scheduled checks fit no window of ${facts.windowSeconds} s`];
}

function auditDrift(facts: Facts, known: readonly Observation[]): string[] {
  const fromMs = ms(facts.lastBadAt) - facts.windowSeconds * 1_000;
  return (facts.findings ?? []).flatMap((finding) => {
    const shows = (one: Observation) => one.findings.some(({ id }) => id === finding.id);
    const own = known.filter(
      (one) =>
        one.isPrimary &&
        qualityOf(one) === "good" &&
        one.findings.length + 1 > 0 &&
        ms(one.at) >= fromMs - 1_000 &&
        one.at <= facts.lastBadAt,
    );
    const seen = own.filter(shows);
    return finding.bad > seen.length
      ? [`${finding.id} in ${finding.bad} checks, the observations have ${seen.length}`]
      : [];
  });
}

function auditNotice(facts: Facts, known: readonly Observation[]): string[] {
  const fromMs = ms(facts.lastBadAt) - facts.windowSeconds * 1_000;
  const isSent = ({ notices }: Observation) =>
    facts.rule === "sunset"
      ? notices.sunset !== undefined || notices.sunsetText !== undefined
      : notices.deprecation !== undefined ||
        notices.warning === 299 ||
        notices.message === true ||
        (notices.links?.some((rel) => rel !== "latest-version") ?? false);
  const telling = known.filter(
    (one) =>
      one.isPrimary &&
      facts.endpoints.includes(one.endpoint) &&
      (qualityOf(one) === "good" ||
        isSent(one) ||
        Object.keys(one.notices).some((name) =>
          ["deprecation", "links", "warning", "message", "sunset", "sunsetText"].includes(name),
        )) &&
      ms(one.at) >= fromMs - 999 &&
      one.at <= facts.lastBadAt,
  );
  return facts.bad > telling.filter(isSent).length
    ? [`${facts.bad} checks with the header, the observations have ${telling.filter(isSent).length}`]
    : [];
}

/** Every time of the day and every "N of M" of the sentences is one of the facts. */
function auditText({ text, event }: Alert, facts: Facts): string[] {
  const json = JSON.stringify(facts);
  const instants = [...json.matchAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g)].map(([instant]) => instant);
  const windowStart = new Date(ms(facts.lastBadAt) - facts.windowSeconds * 1_000).toISOString();
  const clocks = new Set([...instants, windowStart].map((instant) => instant.slice(11, 16)));
  const sentences = text.split("\n\n")[0] ?? "";
  const reminder = event === "reminder" ? sentences.split("\n").slice(1).join("\n") : sentences;
  const times = [...reminder.matchAll(/\b(\d\d:\d\d)\b/g)].map(([, time]) => time!);
  const numbers = new Set([...json.matchAll(/:(\d+)[,}]/g)].map(([, number]) => Number(number)));
  const responses = Object.values(facts.responses ?? {});
  for (const count of [(facts.anonymousServed ?? 0) + (facts.anonymousRefused ?? 0), ...responses])
    numbers.add(count);
  const shares = [...reminder.matchAll(/([\d,]+) of ([\d,]+)/g)].flatMap(([, part, whole]) => [
    part!,
    whole!,
  ]);
  return [
    ...times.filter((time) => !clocks.has(time)).map((time) => `the text says ${time}, the facts do not`),
    ...shares
      .filter((number) => !numbers.has(Number(number.replaceAll(",", ""))))
      .map((number) => `the text says ${number}, the facts do not`),
  ];
}

/** All alerts of a history, each against the observations up to its instant. */
export function auditAll(alerts: readonly Alert[], observations: readonly Observation[]): string[] {
  return alerts.flatMap((alert, index) => audit(alert, observations, alerts.slice(0, index)));
}
