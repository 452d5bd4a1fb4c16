// Recomputes the numbers and instants of alerts from the raw observations. It knows the observations and the alerts that
// were sent, and nothing of the check history, of the marks or of the rules: it recomputes facts and judges nothing.
import { type EndpointId, endpointIds, endpoints } from "../../lib/contract/endpoints.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { Facts, RuleId } from "../../lib/records/incident.ts";
import type { Observation } from "../../lib/records/observation.ts";

type Quality = "good" | "bad" | "neutral";
type Audited = Observation & { quality: Quality };

const ms = (instant: string) => Date.parse(instant);
const expectEqual = (name: string, said: unknown, seen: unknown): string[] =>
  said === seen ? [] : [`${name} is ${String(said)}, the observations say ${String(seen)}`];

/** Its own reading of an observation: whether V1 served what was asked. */
function readQuality({ outcome, notices, findings, endpoint, attempts }: Observation): Quality {
  if (outcome.kind === "no-secret") return "neutral";
  if (outcome.kind === "refused")
    return outcome.detail === "address" && attempts.length > 0 ? "bad" : "neutral";
  if (outcome.kind !== "ok") return "bad";
  if (notices.body === "v2-shaped" || notices.body === "stub-data") return "bad";
  if (notices.body === "empty" && endpoints[endpoint].role === "list") return "bad";
  return findings.some(({ kind }) => kind === "envelope") ? "bad" : "good";
}

/** In order of time. A sample that is not found while another one of the same tick is served says nothing. */
function readAll(observations: readonly Observation[]): Audited[] {
  const sorted = observations.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1));
  const opinions = new Map(
    sorted.filter(({ reason }) => reason === "second-opinion").map((one) => [one.id, one.outcome.kind]),
  );
  const served = new Map<EndpointId, Set<string>>(endpointIds.map((endpoint) => [endpoint, new Set()]));
  return sorted.map((one) => {
    const known = served.get(one.endpoint)!;
    const isOwnSample =
      (one.outcome.status === 404 && opinions.get(`${one.id}/second-opinion`) === "ok") ||
      (one.notices.body === "stub-data" && one.sample !== undefined && !known.has(one.sample));
    const quality = isOwnSample ? "neutral" : readQuality(one);
    if (quality === "good" && one.isPrimary && one.sample) known.add(one.sample);
    return { ...one, quality };
  });
}

export const failureRules = new Set<string>([
  "down",
  "key-refused",
  "maybe-retired",
  "retired",
  "quota-exhausted",
  "access-refused",
  "withdrawn",
  "gone",
  "serves-v2",
  "error-envelope",
  "not-json",
  "empty-list",
  "stub-data",
  "unsafe-response",
]);

/** The checks of the facts' endpoints that measure V1. */
const primaryOf = (known: readonly Audited[], names: readonly EndpointId[]) =>
  known.filter((one) => one.isPrimary && names.includes(one.endpoint));

/** From the first instant to the last of the facts. */
const inside = ({ firstBadAt, lastBadAt }: Facts, own: readonly Audited[]) =>
  own.filter(({ at }) => at >= firstBadAt && at <= lastBadAt);

/** Counted for each endpoint from its own first bad check to its last. */
function countBad(facts: Facts, own: readonly Audited[], isBad: (one: Audited) => boolean) {
  let [bad, total] = [0, 0];
  for (const endpoint of facts.endpoints) {
    const checks = inside(facts, own).filter((one) => one.endpoint === endpoint && one.quality !== "neutral");
    const span = checks.slice(checks.findIndex(isBad), checks.findLastIndex(isBad) + 1);
    if (!checks.some(isBad)) continue;
    bad += span.filter(isBad).length;
    total += span.length;
  }
  return { bad, total };
}

type Audit = (facts: Facts, known: readonly Audited[], alert: Alert) => string[];

const isFailed = ({ quality }: Audited) => quality === "bad";

/** Every number of a failure can be counted. */
const auditFailure: Audit = (facts, known, alert) => {
  const own = primaryOf(known, facts.endpoints);
  const isCounted = (one: Audited) => isFailed(one) || one.outcome.status === 429;
  const { bad, total } = countBad(facts, own, isCounted);
  // Throttled checks count only once the failure fires: those before it are left out.
  const hasThrottled = own.some(({ outcome }) => outcome.status === 429);
  const lastGood = own.findLast(({ at, quality }) => at < facts.firstBadAt && quality === "good");
  // Once endpoints have joined or left, it is a good check of one of them.
  const isGoodBefore =
    facts.lastGoodBeforeAt === null ||
    own.some(({ at, quality }) => at === facts.lastGoodBeforeAt && quality === "good");
  // An endpoint that was good before the last bad check of another one does not show the end.
  const after = facts.endpoints
    .flatMap((endpoint) => {
      const checks = own.filter((one) => one.endpoint === endpoint);
      const last = checks.findLastIndex((one) => isCounted(one) && one.at <= facts.lastBadAt);
      return checks.slice(last + 1).find(({ quality }) => quality === "good") ?? [];
    })
    .map(({ at }) => at)
    .filter((at) => at > facts.lastBadAt)
    .sort();
  const anonymous = known.filter(
    (one) =>
      one.variant === "anonymous" &&
      !one.isPrimary &&
      facts.endpoints.includes(one.endpoint) &&
      one.at >= facts.firstBadAt,
  );
  const refusals = anonymous.filter(
    ({ outcome }) => outcome.kind === "unauthorized" || outcome.status === 403,
  ).length;
  const isOver = alert.event === "resolved";
  return [
    ...(own.some((one) => one.at === facts.firstBadAt && isFailed(one))
      ? []
      : ["no bad check at firstBadAt"]),
    ...(own.some((one) => one.at === facts.lastBadAt && isCounted(one)) ? [] : ["no bad check at lastBadAt"]),
    ...(hasThrottled || alert.event !== "opened" ? [] : expectEqual("bad", facts.bad, bad)),
    ...(hasThrottled || alert.event !== "opened" ? [] : expectEqual("total", facts.total, total)),
    // Of an endpoint that joined later, single failures before it are not counted.
    ...(hasThrottled || facts.bad <= bad ? [] : [`bad is ${facts.bad}, the observations say ${bad}`]),
    ...(hasThrottled || facts.total <= total
      ? []
      : [`total is ${facts.total}, the observations say ${total}`]),
    ...(alert.event === "opened"
      ? expectEqual("lastGoodBeforeAt", facts.lastGoodBeforeAt, lastGood?.at ?? null)
      : isGoodBefore
        ? []
        : ["lastGoodBeforeAt is no good check"]),
    ...expectEqual("responses", sumOf(facts.responses), facts.bad),
    ...(facts.anonymousServed === undefined || isOver
      ? []
      : [
          ...expectEqual(
            "anonymousServed",
            facts.anonymousServed,
            anonymous.filter(({ quality }) => quality === "good").length,
          ),
          ...expectEqual("anonymousRefused", facts.anonymousRefused, refusals),
        ]),
    ...(isOver ? expectEqual("firstGoodAfterAt", facts.firstGoodAfterAt, after[0]) : []),
    ...(isOver
      ? facts.endpoints
          .filter(
            (endpoint) =>
              own.findLast((one) => one.endpoint === endpoint && one.quality !== "neutral")?.quality ===
              "bad",
          )
          .map((endpoint) => `RESOLVED while ${endpoint} is bad`)
      : []),
  ];
};

const sumOf = (counts: Record<string, number> = {}) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Of scheduled checks of the last day; those inside an outage that was told are left out, so there may be more. */
const auditShare =
  (isBad: (one: Audited) => boolean): Audit =>
  (facts, known, alert) => {
    if (alert.event === "resolved") return [];
    const day = primaryOf(known, facts.endpoints).filter(
      (one) => one.reason === "scheduled" && ms(one.at) > ms(alert.at) - 86_400_000,
    );
    const bad = day.filter(isBad);
    return [
      ...(facts.bad > bad.length ? [`${facts.bad} bad checks, the observations have ${bad.length}`] : []),
      ...(facts.total > day.length ? [`${facts.total} checks, the observations have ${day.length}`] : []),
      ...(facts.responses ? expectEqual("responses", sumOf(facts.responses), facts.bad) : []),
      ...(bad.some(({ at }) => at === facts.lastBadAt) ? [] : ["no bad check at lastBadAt"]),
    ];
  };

const hasBreaking = ({ findings }: Audited) => findings.some(({ level }) => level === "breaking");

/** The findings of a drift are those of an observation, with its counts. */
const auditFindings: Audit = (facts, known) =>
  (facts.findings ?? []).flatMap((said) => {
    const isSeen = known.some(({ findings }) =>
      findings.some(({ id, count, of }) => id === said.id && count === said.records && of === said.ofRecords),
    );
    return isSeen ? [] : [`no observation has ${said.id} in ${said.records} of ${said.ofRecords}`];
  });

/** The last check of the list that was served, at the instant of the last bad one. */
const lastBad = (facts: Facts, known: readonly Audited[]) =>
  known.filter((one) => one.at === facts.lastBadAt && facts.endpoints.includes(one.endpoint));

const auditHeader =
  (has: (one: Audited) => boolean): Audit =>
  (facts, known) => {
    const own = primaryOf(known, facts.endpoints);
    const bad = inside(facts, own).filter(has).length;
    return [
      ...(facts.bad > bad ? [`${facts.bad} with the header, the observations have ${bad}`] : []),
      ...(lastBad(facts, own).some(has) ? [] : ["no check with the header at lastBadAt"]),
      ...(facts.date && facts.source === "sunset" && !own.some(({ notices }) => notices.sunset === facts.date)
        ? [`no response named ${facts.date}`]
        : []),
    ];
  };

const newestOf = ({ at, staleness }: Audited) =>
  staleness?.ages === undefined ? undefined : ms(at) - staleness.ages.newest * 1_000;
const isNear = (a: number, b: number, tolerance = 1_000) => Math.abs(a - b) <= tolerance;

const audits: Partial<Record<RuleId, Audit>> = {
  "error-rate": auditShare(
    (one) => isFailed(one) && one.outcome.kind !== "ok" && one.outcome.kind !== "not-json",
  ),
  "unauthorized-rate": auditShare(
    (one) => isFailed(one) && one.outcome.kind !== "ok" && one.outcome.kind !== "not-json",
  ),
  "partial-drift": (facts, known, alert) => [
    ...auditShare(
      (one) =>
        (one.quality === "good" && hasBreaking(one)) ||
        (isFailed(one) && ["ok", "not-json"].includes(one.outcome.kind)),
    )(facts, known, alert),
    ...auditFindings(facts, known, alert),
  ],
  "wrong-record": auditShare(({ isOtherRecord }) => isOtherRecord === true),
  "breaking-drift": (facts, known, alert) => [
    ...auditFindings(facts, known, alert),
    ...(lastBad(facts, known).some(hasBreaking) || alert.event !== "opened" ? [] : ["no drift at lastBadAt"]),
  ],
  throttled: (facts, known, alert) => {
    // As the cause of a failure that had another one before.
    if (!alert.id.startsWith("throttled")) return auditFailure(facts, known, alert);
    const own = primaryOf(known, facts.endpoints).filter(
      ({ outcome, quality }) => outcome.status === 429 || quality === "good",
    );
    const counted = countBad(facts, own, ({ outcome }) => outcome.status === 429);
    return [
      ...expectEqual("bad", facts.bad, counted.bad),
      ...expectEqual("total", facts.total, counted.total),
    ];
  },
  sunset: auditHeader(({ notices }) => notices.sunset !== undefined || notices.sunsetText !== undefined),
  "sunset-passed": (facts, known, alert) =>
    facts.source === "configured"
      ? []
      : auditHeader(({ notices }) => notices.sunset !== undefined)(facts, known, alert),
  deprecation: auditHeader(
    ({ notices: { deprecation, links = [], warning, message } }) =>
      deprecation !== undefined ||
      links.some((rel) => rel !== "latest-version") ||
      warning === 299 ||
      message === true,
  ),
  frozen: (facts, known) => {
    const newestMs = ms(facts.newestDate ?? "");
    const own = primaryOf(known, facts.endpoints).filter(({ quality }) => quality === "good");
    const newer = own.filter((one) => one.at <= facts.lastBadAt && (newestOf(one) ?? 0) > newestMs + 61_000);
    return [
      ...(own.some((one) => isNear(newestOf(one) ?? 0, newestMs, 61_000))
        ? []
        : ["no check had this newest date"]),
      ...(newer.length > 0 ? [`${newer.length} checks had a newer date`] : []),
      ...(own.some(({ at }) => at === facts.firstBadAt) ? [] : ["no check at firstBadAt"]),
    ];
  },
  "data-shrinking": (facts, known) => [
    ...(lastBad(facts, known).some(({ staleness }) => staleness?.total === facts.records)
      ? []
      : ["another total at lastBadAt"]),
    ...(known.some(
      ({ at, staleness }) => at === facts.recordsBeforeAt && staleness?.total === facts.recordsBefore,
    )
      ? []
      : ["another total at recordsBeforeAt"]),
  ],
  "equal-scores": (facts, known) =>
    lastBad(facts, known).some(
      ({ equalScores }) => equalScores?.same === facts.equalRecords && equalScores?.of === facts.records,
    )
      ? []
      : ["another count of equal scores at lastBadAt"],
  slow: (facts, known) =>
    primaryOf(known, facts.endpoints).some(({ timings }) => Math.round(timings.totalMs) === facts.latencyMs)
      ? []
      : [`no check took ${facts.latencyMs} ms`],
  "recurring-outages": (facts, known) =>
    (facts.windows ?? []).flatMap(({ firstBad, lastBad: last }) =>
      [firstBad, last].filter((at) => !known.some((one) => one.at === at)).map((at) => `no check at ${at}`),
    ),
};

/** An onset is an interval, and so is an end; every instant is that of a check. */
function auditInstants(facts: Facts, known: readonly Audited[]): string[] {
  const { firstBadAt, lastBadAt, lastGoodBeforeAt, firstGoodAfterAt, bad, total, endpoints: names } = facts;
  const instants = { firstBadAt, lastBadAt, lastGoodBeforeAt, firstGoodAfterAt };
  const isCheck = (at: string) => known.some((one) => one.at === at && names.includes(one.endpoint));
  return [
    ...Object.entries(instants)
      .filter(([, at]) => at !== null && !isCheck(at))
      .map(([name, at]) => `no check at ${name} ${at}`),
    ...(firstBadAt > lastBadAt ? ["the first bad check is after the last"] : []),
    ...(lastGoodBeforeAt !== null && lastGoodBeforeAt > firstBadAt
      ? ["the last good check is after the first bad one"]
      : []),
    ...(firstGoodAfterAt !== null && firstGoodAfterAt < lastBadAt
      ? ["it ended before its last bad check"]
      : []),
    ...(bad > total ? [`${bad} of ${total}`] : []),
    ...(facts.scope === "api"
      ? expectEqual("endpoints of an API claim", names.length, endpointIds.length)
      : []),
  ];
}

/** Every time of the day and every "N of M" of the sentences is one of the facts, or when the incident was announced. */
function auditText({ id, sections }: Alert, facts: Facts, before: readonly Alert[]): string[] {
  const json = JSON.stringify(facts);
  const instants = [...json.matchAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g)].map(([instant]) => instant);
  const announced = before.find((one) => one.event === "opened" && one.id.split("/")[0] === id.split("/")[0]);
  const known = [...instants, ...(announced ? [announced.at] : [])];
  const clocks = new Set(known.map((instant) => instant.slice(11, 16)));
  const sentences = (sections[0]?.lines ?? []).join("\n");
  const times = [...sentences.matchAll(/\b(\d\d:\d\d)\b/g)].map(([, time]) => time!);
  const numbers = new Set([...json.matchAll(/:(\d+)[,}]/g)].map(([, number]) => Number(number)));
  numbers.add((facts.anonymousServed ?? 0) + (facts.anonymousRefused ?? 0));
  const shares = [...sentences.matchAll(/([\d,]+) of ([\d,]+)/g)].flatMap(([, part, whole]) => [
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

/** The mistakes of one alert; none where every number holds. */
function audit(alert: Alert, known: readonly Audited[], before: readonly Alert[]): string[] {
  const { facts } = alert;
  // A countdown repeats the facts of the announcement, which was audited; a digest has none; a budget has no checks.
  if (!facts || alert.event === "countdown" || facts.rule === "budget") return [];
  const own = failureRules.has(facts.rule) ? auditFailure : audits[facts.rule];
  return [
    ...auditInstants(facts, known),
    ...auditText(alert, facts, before),
    ...(own?.(facts, known, alert) ?? []),
  ].map((text) => `${alert.id}: ${text}`);
}

/** All alerts of a history, each against the observations up to its instant. */
export function auditAll(alerts: readonly Alert[], observations: readonly Observation[]): string[] {
  const all = readAll(observations);
  return alerts.flatMap((alert, index) =>
    audit(
      alert,
      all.filter(({ at }) => at <= alert.at),
      alerts.slice(0, index),
    ),
  );
}
