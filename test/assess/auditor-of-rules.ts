// The auditors of the rules that are no failures: each recomputes the numbers of its rule from the observations.
import type { EndpointId } from "../../lib/contract/endpoints.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { Facts, RuleId } from "../../lib/records/incident.ts";
import type { Observation } from "../../lib/records/observation.ts";

type Quality = "good" | "bad" | "neutral";
export type Audited = Observation & { quality: Quality };

export const ms = (instant: string) => Date.parse(instant);
export const secondsOf = (to: string, from: string) => Math.round((ms(to) - ms(from)) / 1_000);

export const primaryOf = (known: readonly Audited[], endpoints: readonly EndpointId[]) =>
  known.filter((one) => one.isPrimary && endpoints.includes(one.endpoint) && one.quality !== "neutral");

export function expectEqual(name: string, found: unknown, wanted: unknown): string[] {
  return found === wanted ? [] : [`${name} is ${String(found)}, the observations say ${String(wanted)}`];
}

type Auditor = (facts: Facts, known: readonly Audited[], alert: Alert) => string[];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const goodOf = (facts: Facts, known: readonly Audited[]) =>
  primaryOf(known, facts.endpoints).filter(({ quality }) => quality === "good");

/** The checks from the start of the counted window to the last bad check. */
const windowOf = (facts: Facts, rows: readonly Audited[]) =>
  rows.filter(
    ({ at }) => ms(at) >= ms(facts.lastBadAt) - facts.windowSeconds * 1_000 - 999 && at <= facts.lastBadAt,
  );

/** `bad` and `total` are counted in the window, and its ends are such checks. */
function auditCounts(
  facts: Facts,
  rows: readonly Audited[],
  shows: (one: Audited) => boolean,
  hasOnset = true,
): string[] {
  const window = windowOf(facts, rows);
  const isShown = (at: string) => rows.some((one) => one.at === at && shows(one));
  return [
    ...expectEqual("bad", facts.bad, window.filter(shows).length),
    ...expectEqual("total", facts.total, window.length),
    ...(isShown(facts.lastBadAt) ? [] : ["no such check at lastBadAt"]),
    ...(!hasOnset || isShown(facts.firstBadAt) ? [] : ["no such check at firstBadAt"]),
    ...(facts.lastGoodBeforeAt === null || rows.some(({ at }) => at === facts.lastGoodBeforeAt)
      ? []
      : ["no check at lastGoodBeforeAt"]),
  ];
}

const newestMsOf = ({ at, staleness }: Observation): number | undefined =>
  staleness?.ages && !staleness.muted && staleness.dated > 0
    ? Math.round(ms(at) - staleness.ages.newest * 1_000)
    : undefined;

const datedOf = (facts: Facts, known: readonly Audited[]) =>
  goodOf(facts, known).filter((one) => newestMsOf(one) !== undefined);

const isDate = (instant: string | undefined, one: Audited) =>
  instant !== undefined && Math.abs(newestMsOf(one)! - ms(instant)) <= 60_000;

const deprecationsOf = ({ notices }: Observation): string[] => [
  ...(notices.deprecation
    ? [notices.deprecation.at ? `Deprecation ${notices.deprecation.at.slice(0, 10)}` : "Deprecation"]
    : []),
  ...(notices.links ?? []).filter((rel) => rel !== "latest-version").map((rel) => `Link rel=${rel}`),
  ...(notices.warning === 299 ? ["Warning 299"] : []),
  ...(notices.message ? ["a message in the body"] : []),
];
const hasSunset = ({ notices }: Observation) =>
  notices.sunset !== undefined || notices.sunsetText !== undefined;
/** Only a good response can lack a header. */
const tellingOf = (facts: Facts, known: readonly Audited[]) =>
  known.filter(
    (one) =>
      one.isPrimary &&
      facts.endpoints.includes(one.endpoint) &&
      (one.quality === "good" || hasSunset(one) || deprecationsOf(one).length > 0),
  );

/** Single headers before the series of an endpoint began lie in the window too: there may be more, never fewer. */
function auditNotice(facts: Facts, known: readonly Audited[], has: (one: Audited) => boolean): string[] {
  const window = windowOf(facts, tellingOf(facts, known));
  const sent = window.filter(has).length;
  return [
    ...expectEqual("total", facts.total, window.length),
    ...(facts.bad > sent ? [`${facts.bad} checks with the header, the observations have ${sent}`] : []),
    ...(window.some((one) => one.at === facts.lastBadAt && has(one)) ? [] : ["no header at lastBadAt"]),
    ...(known.some((one) => one.at === facts.firstBadAt && has(one)) ? [] : ["no header at firstBadAt"]),
  ];
}

function auditSunset(facts: Facts, known: readonly Audited[]): string[] {
  const own = tellingOf(facts, known);
  const isSent = (date: string) =>
    own.some(({ notices }) => notices.sunset && ms(notices.sunset) === ms(date));
  const dates = [facts.date, facts.previousDate, ...Object.values(facts.dates ?? {})];
  return [
    ...auditNotice(facts, known, hasSunset),
    ...dates.flatMap((date) => (date === undefined || isSent(date) ? [] : [`no Sunset header said ${date}`])),
    ...(facts.dateText === undefined || own.some(({ notices }) => notices.sunsetText === facts.dateText)
      ? []
      : [`no Sunset header said "${facts.dateText}"`]),
  ];
}

const auditPassed: Auditor = (facts, known) =>
  facts.source === "sunset"
    ? auditSunset(facts, known)
    : expectEqual(
        "bad",
        facts.bad,
        windowOf(facts, goodOf(facts, known)).filter(({ at }) => ms(at) > ms(facts.date!)).length,
      );

const auditDeprecation: Auditor = (facts, known) => [
  ...auditNotice(facts, known, (one) => deprecationsOf(one).length > 0),
  ...(facts.notices ?? []).flatMap((name) =>
    known.some((one) => deprecationsOf(one).includes(name)) ? [] : [`no response said ${name}`],
  ),
];

/** The first check showed one of the findings. */
const auditFirstDrift = (
  { endpoints, findings = [], findingsOmitted, firstBadAt }: Facts,
  known: readonly Audited[],
) => {
  const ids = new Set(findings.map(({ id }) => id));
  const isShown = known.some(
    (one) =>
      one.at === firstBadAt && endpoints.includes(one.endpoint) && one.findings.some(({ id }) => ids.has(id)),
  );
  return isShown || findingsOmitted ? [] : [`no check of ${endpoints} at ${firstBadAt} shows it`];
};

/** Each finding from one of its checks on: so many showed it, and so many records of one of them. */
const auditDrift: Auditor = (facts, known) => [
  ...auditFirstDrift(facts, known),
  ...(facts.findings ?? []).flatMap((finding) => {
    const shown = (one: Observation) => one.findings.find(({ id }) => id === finding.id);
    const isMomentary = ["order", "filter", "pagination", "disagreement"].includes(finding.kind);
    const own = known.filter(
      (one) =>
        one.quality === "good" &&
        facts.endpoints.includes(one.endpoint) &&
        (!isMomentary || one.reason === "scheduled"),
    );
    const window = windowOf(facts, own);
    const series = [...new Set(window.filter(shown).map(({ variant }) => variant))].map((variant) => {
      const rows = window.filter((one) => one.variant === variant);
      const showing = rows.filter(shown);
      const first = showing.at(-finding.bad);
      const could = first
        ? rows.filter(({ at, endpoint }) => at >= first.at && endpoint === first.endpoint)
        : [];
      return { showing, could };
    });
    const isCounted = series.some(({ could }) => could.length > 0 && finding.total <= could.length);
    const hasRecords = series.some(({ showing }) =>
      showing.some((one) => shown(one)!.count === finding.records && shown(one)!.of === finding.ofRecords),
    );
    const { firstGoodAfterAt } = facts;
    const later = own.find((one) => firstGoodAfterAt !== null && one.at >= firstGoodAfterAt && shown(one));
    return [
      ...(later ? [`${finding.id} ended at ${firstGoodAfterAt}, and ${later.at} shows it`] : []),
      ...(isCounted
        ? []
        : [
            `${finding.id} in ${finding.bad} of ${finding.total} checks, the observations have ${series.map(({ showing, could }) => `${showing.length} of ${could.length}`)}`,
          ]),
      ...(hasRecords
        ? []
        : [`${finding.id}: no check has ${finding.records} of ${finding.ofRecords} records`]),
    ];
  }),
];

const auditFrozen: Auditor = (facts, known) => {
  const own = datedOf(facts, known);
  const last = own.findLast(({ at }) => at === facts.lastBadAt);
  const values = [...new Set(own.map((one) => newestMsOf(one)!))];
  const gap = facts.longestGapSeconds;
  const isGap =
    gap === undefined ||
    values.some((one) => values.some((other) => Math.abs(other - one - gap * 1_000) <= 2_000));
  return [
    ...(last && isDate(facts.newestDate, last) ? [] : ["the last check has another newest date"]),
    ...expectEqual(
      "bad",
      facts.bad,
      windowOf(facts, own).filter((one) => isDate(facts.newestDate, one)).length,
    ),
    ...expectEqual(
      "standsStillSeconds",
      facts.standsStillSeconds,
      secondsOf(facts.lastBadAt, facts.newestDate!),
    ),
    ...(isGap ? [] : [`no two newest dates are ${gap} s apart`]),
  ];
};

const auditJumpedBack: Auditor = (facts, known) => {
  const own = datedOf(facts, known);
  const last = own.findLast(({ at }) => at === facts.lastBadAt);
  return [
    ...(last && isDate(facts.newestDate, last) ? [] : ["the last check has another newest date"]),
    ...(own.some((one) => isDate(facts.previousNewestDate, one)) ? [] : ["no check had the previous date"]),
    ...auditCounts(facts, own, (one) => newestMsOf(one)! < ms(facts.previousNewestDate!)),
  ];
};

const auditShrinking: Auditor = (facts, known) => {
  const own = goodOf(facts, known).filter(({ staleness }) => staleness?.total !== undefined);
  const isThen = ({ at }: Audited) => Math.abs(ms(at) - ms(facts.recordsBeforeAt!)) <= dayMs + hourMs;
  return [
    ...expectEqual(
      "records",
      facts.records,
      own.findLast(({ at }) => at === facts.lastBadAt)?.staleness?.total,
    ),
    ...(own.some((one) => isThen(one) && one.staleness?.total === facts.recordsBefore)
      ? []
      : [`no total of ${facts.recordsBefore} about ${facts.recordsBeforeAt}`]),
    ...auditCounts(facts, own, ({ staleness }) => staleness!.total! <= 0.85 * facts.recordsBefore!),
  ];
};

const auditCredentials: Auditor = (facts, known) => {
  const own = goodOf(facts, known).filter(({ sample, staleness }) => sample !== undefined && staleness);
  const isEmpty = ({ staleness }: Audited) => staleness!.records === 0;
  const had = new Set(own.filter((one) => !isEmpty(one)).map(({ sample }) => sample));
  const lost = new Set(own.filter((one) => isEmpty(one) && had.has(one.sample)).map(({ sample }) => sample));
  return [
    ...auditCounts(facts, own, isEmpty),
    ...((facts.samples ?? 0) <= lost.size
      ? []
      : [`${facts.samples} samples, the observations have ${lost.size}`]),
  ];
};

const auditEqual: Auditor = (facts, known) => {
  const own = goodOf(facts, known).filter(({ equalScores }) => (equalScores?.of ?? 0) >= 5);
  const last = own.findLast(({ at }) => at === facts.lastBadAt)?.equalScores;
  return [
    ...expectEqual("equalRecords", facts.equalRecords, last?.same),
    ...expectEqual("records", facts.records, last?.of),
    ...auditCounts(facts, own, ({ equalScores }) => equalScores!.same >= 0.9 * equalScores!.of),
  ];
};

const auditAlwaysNow: Auditor = (facts, known) => {
  const own = datedOf(facts, known).filter(({ staleness }) => staleness!.records > 1);
  return [
    ...auditCounts(facts, own, ({ staleness }) => staleness!.ages!.p50 < facts.limitSeconds!),
    ...expectEqual(
      "records",
      facts.records,
      own.findLast(({ at }) => at === facts.lastBadAt)?.staleness?.records,
    ),
  ];
};

const auditWithoutValues: Auditor = (facts, known) => {
  const own = goodOf(facts, known).filter(({ records }) => records);
  const hourOf = ({ at }: Audited) => Math.floor(ms(at) / hourMs);
  const moves = own.slice(1).map((one, index) => {
    const before = new Map(own[index]!.records!.map((record) => [record.id, record]));
    const moved = one.records!.filter(({ id, at }) => {
      const atBefore = before.get(id)?.at ?? null;
      return at !== null && atBefore !== null && at !== atBefore;
    });
    return {
      hour: hourOf(one),
      moved: moved.length,
      changed: moved.filter(({ id, values }) => before.get(id)!.values !== values).length,
    };
  });
  const until = ms(facts.lastBadAt) / hourMs;
  const lastChange = moves.findLast(({ changed, hour }) => changed > 0 && hour <= until)?.hour ?? 0;
  const since = moves.filter(({ hour }) => hour > lastChange && hour <= until);
  return expectEqual(
    "movedRecords",
    facts.movedRecords,
    since.reduce((sum, { moved }) => sum + moved, 0),
  );
};

const auditPartlyFrozen: Auditor = (facts, known) => {
  const last = goodOf(facts, known).findLast(({ at }) => at === facts.lastBadAt);
  const dated = (last?.records ?? []).filter(({ at }) => at !== null);
  const still = dated.filter(({ at }) => ms(facts.lastBadAt) - ms(at!) > facts.limitSeconds! * 1_000).length;
  return [
    ...expectEqual("records", facts.records, dated.length),
    ...((facts.stillRecords ?? 0) <= still
      ? []
      : [`${facts.stillRecords} records, the observations have ${still}`]),
  ];
};

const auditSlow: Auditor = (facts, known) => {
  const window = goodOf(facts, known).filter(({ at }) => at >= facts.firstBadAt && at <= facts.lastBadAt);
  const slowest = Math.max(...window.map(({ timings }) => timings.totalMs));
  const before = goodOf(facts, known).filter(({ at }) => at <= facts.lastBadAt);
  return [
    ...(window.some(({ at }) => at === facts.lastBadAt) ? [] : ["no check at lastBadAt"]),
    ...(facts.total <= window.length
      ? []
      : [`${facts.total} checks, the observations have ${window.length}`]),
    ...(window.some(({ timings }) => Math.round(timings.totalMs) === facts.latencyMs) &&
    facts.latencyMs! <= Math.round(slowest)
      ? []
      : [`no check took ${facts.latencyMs} ms`]),
    ...(facts.usualLatencyMs === undefined ||
    before.some(({ timings }) => Math.round(timings.totalMs) === facts.usualLatencyMs)
      ? []
      : [`no check took the usual ${facts.usualLatencyMs} ms`]),
  ];
};

const auditAnonymous: Auditor = (facts, known) => {
  const own = known.filter(
    (one) => one.variant === "anonymous" && !one.isPrimary && facts.endpoints.includes(one.endpoint),
  );
  const served = own.filter(({ at, quality }) => quality === "good" && at < facts.firstBadAt);
  const isKeyServed = ({ endpoint, at }: Audited) =>
    primaryOf(known, [endpoint]).findLast((one) => one.at <= at)?.quality === "good";
  const refused = own.filter(
    ({ at, outcome }) =>
      (outcome.kind === "unauthorized" || outcome.status === 403) &&
      ms(at) >= ms(facts.lastBadAt) - facts.windowSeconds * 1_000 - 999 &&
      at <= facts.lastBadAt,
  );
  return [
    ...expectEqual("bad", facts.bad, refused.filter(isKeyServed).length),
    ...expectEqual("lastGoodBeforeAt", facts.lastGoodBeforeAt, served.at(-1)?.at ?? null),
  ];
};

/** The bounds of each window are checks: good, bad, bad, good. */
const auditRecurring: Auditor = (facts, known) => {
  const own = primaryOf(known, facts.endpoints);
  const isAt = (at: string | null, quality: "good" | "bad") =>
    at === null || own.some((one) => one.at === at && one.quality === quality);
  const windows = facts.windows ?? [];
  const stepMs = ms(facts.next!.from) - ms(windows.at(-1)!.firstBad);
  return [
    ...windows.flatMap(({ after, firstBad, lastBad, firstGood }) =>
      isAt(after, "good") && isAt(firstBad, "bad") && isAt(lastBad, "bad") && isAt(firstGood, "good")
        ? []
        : [`the bounds of the window of ${firstBad} are no checks`],
    ),
    ...(stepMs > 0 && stepMs % dayMs === 0 ? [] : ["the next window is not whole days later"]),
  ];
};

const auditCertificate: Auditor = (facts, known, alert) => [
  ...(known.some(({ tls }) => tls && ms(tls.expiresAt) === ms(facts.expiresAt!))
    ? []
    : [`no certificate expires at ${facts.expiresAt}`]),
  ...(alert.event === "resolved"
    ? []
    : expectEqual("daysLeft", facts.daysLeft, Math.floor((ms(facts.expiresAt!) - ms(alert.at)) / dayMs))),
];

const auditNoSecret: Auditor = (facts, known) => {
  const own = known.filter(
    ({ outcome, at }) => outcome.kind === "no-secret" && at >= facts.firstBadAt && at <= facts.lastBadAt,
  );
  return expectEqual("bad", facts.bad, own.length);
};

const auditSilent: Auditor = (facts, known, alert) => {
  const own = known.filter(({ endpoint }) => facts.endpoints.includes(endpoint));
  const last = own.filter(({ at }) => at <= facts.lastBadAt).at(-1)?.at;
  return alert.event === "resolved" ? [] : expectEqual("lastGoodBeforeAt", facts.lastGoodBeforeAt, last);
};

/** The request budget is not in the observations. */
const auditBudget: Auditor = ({ requestsLeft = 0, requestsPerMonth = 0 }) =>
  requestsLeft <= requestsPerMonth ? [] : [`${requestsLeft} of ${requestsPerMonth} requests are left`];

export const auditors: Partial<Record<RuleId, Auditor>> = {
  sunset: auditSunset,
  "sunset-passed": auditPassed,
  deprecation: auditDeprecation,
  "breaking-drift": auditDrift,
  "partial-drift": auditDrift,
  frozen: auditFrozen,
  "date-jumped-back": auditJumpedBack,
  "data-shrinking": auditShrinking,
  "credentials-empty": auditCredentials,
  "equal-scores": auditEqual,
  "dates-always-now": auditAlwaysNow,
  "dates-without-values": auditWithoutValues,
  "partly-frozen": auditPartlyFrozen,
  slow: auditSlow,
  "anonymous-refused": auditAnonymous,
  "recurring-outages": auditRecurring,
  certificate: auditCertificate,
  "no-secret": auditNoSecret,
  silent: auditSilent,
  budget: auditBudget,
};
