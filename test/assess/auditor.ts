// Recomputes every number and instant of an alert from the raw observations. It knows the observations and the alerts
// that were sent, and nothing of the check history or of the rules.
import { endpointIds } from "../../lib/contract/endpoints.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { Facts } from "../../lib/records/incident.ts";
import type { Observation } from "../../lib/records/observation.ts";
import { type Audited, auditors, expectEqual, ms, primaryOf, secondsOf } from "./auditor-of-rules.ts";

/** Its own reading of an observation. A 404 and a stub of a single sample are read in the light of the others. */
function readQuality({ outcome, notices, findings, endpoint, attempts }: Observation): Audited["quality"] {
  if (outcome.kind === "no-secret") return "neutral";
  if (outcome.kind === "refused")
    return outcome.detail === "address" && attempts.length > 0 ? "bad" : "neutral";
  if (outcome.kind !== "ok") return "bad";
  if (notices.body === "v2-shaped" || notices.body === "stub-data") return "bad";
  if (notices.body === "empty" && endpoint === "passport-list") return "bad";
  return findings.some(({ kind }) => kind === "envelope") ? "bad" : "good";
}

/** A 404 or a stub of one sample that another sample contradicts before a second one agrees says nothing of V1. */
function isSamplesOwn(one: Observation, all: readonly Observation[]): boolean {
  const isDoubtful = ({ outcome, notices, endpoint }: Observation) =>
    endpoint !== "passport-list" && (outcome.status === 404 || notices.body === "stub-data");
  if (!isDoubtful(one)) return false;
  const own = all.filter(
    ({ endpoint, isPrimary }) => endpoint === one.endpoint && isPrimary === one.isPrimary,
  );
  const index = own.indexOf(one);
  const isGood = (other: Observation) => readQuality(other) === "good";
  const from = own
    .slice(0, index)
    .findLastIndex((other) => readQuality(other) !== "neutral" && !isDoubtful(other));
  const end = own.findIndex((other, at) => at > index && isGood(other));
  const run = own.slice(from + 1, end < 0 ? undefined : end);
  const samples = new Set(run.map(({ sample }) => sample));
  const isListSame = all.some(
    (other) =>
      other.endpoint === "passport-list" &&
      readQuality(other) === "bad" &&
      Math.abs(ms(other.at) - ms(one.at)) <= 3 * 3_600_000,
  );
  return samples.size < 2 && !isListSame;
}

/** In order of time; several alerts of one history are audited with the same reading. */
function readAll(observations: readonly Observation[]): Audited[] {
  const sorted = observations.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return sorted.map((one) => ({ ...one, quality: isSamplesOwn(one, sorted) ? "neutral" : readQuality(one) }));
}

export const failureRules = new Set([
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

/** The mistakes of one alert; none where every number holds. */
function audit(alert: Alert, known: readonly Audited[], before: readonly Alert[]): string[] {
  const { facts } = alert;
  // A countdown repeats the facts of the announcement, which was audited; a digest has none.
  if (!facts || alert.event === "countdown") return [];
  const mistakes = [
    ...auditInterval(facts),
    ...auditText(alert, facts, before),
    ...auditChange(facts, known),
    ...auditOnset(alert, facts, before),
  ];
  if (failureRules.has(facts.rule)) mistakes.push(...auditFailure(alert, facts, known));
  else if (facts.rule === "error-rate" || facts.rule === "unauthorized-rate")
    mistakes.push(...auditRate(alert, facts, known, before));
  else mistakes.push(...(auditors[facts.rule]?.(facts, known, alert) ?? [`no auditor for ${facts.rule}`]));
  return mistakes.map((text) => `${alert.id}: ${text}`);
}

/** An onset is an interval, and so is an end. */
function auditInterval(facts: Facts): string[] {
  const { firstBadAt, lastBadAt, lastGoodBeforeAt, firstGoodAfterAt, bad, total } = facts;
  return [
    ...(firstBadAt > lastBadAt ? ["the first bad check is after the last"] : []),
    ...(lastGoodBeforeAt !== null && lastGoodBeforeAt > firstBadAt
      ? ["the last good check is after the first bad one"]
      : []),
    ...(firstGoodAfterAt !== null && firstGoodAfterAt < lastBadAt
      ? ["it ended before its last bad check"]
      : []),
    ...(bad > total ? [`${bad} of ${total}`] : []),
  ];
}

/** An incident keeps its onset while it has the same endpoints. A rate has the numbers of its window, and no onset. */
function auditOnset(
  { id, endpoints }: Alert,
  { rule, firstBadAt }: Facts,
  before: readonly Alert[],
): string[] {
  const earlier = before.find(
    (one) =>
      one.id.split("/")[0] === id.split("/")[0] &&
      one.rule === rule &&
      one.endpoints.every((endpoint) => endpoints.includes(endpoint)) &&
      (one.facts?.firstBadAt ?? firstBadAt) < firstBadAt,
  );
  return earlier && !rule.endsWith("-rate")
    ? [`it began at ${earlier.facts!.firstBadAt} in an earlier message, and now at ${firstBadAt}`]
    : [];
}

/** A change lies between two checks. */
function auditChange({ changedAt, changedAfterAt }: Facts, known: readonly Audited[]): string[] {
  const isCheck = (at: string) => known.some((one) => one.at === at);
  return [
    ...(changedAt === undefined || isCheck(changedAt) ? [] : [`no check at changedAt ${changedAt}`]),
    ...(!changedAfterAt || isCheck(changedAfterAt) ? [] : [`no check at changedAfterAt ${changedAfterAt}`]),
    ...(changedAt && changedAfterAt && changedAfterAt > changedAt
      ? ["the change ends before it begins"]
      : []),
  ];
}

/** What a bad check got, in the words of the alert. */
const responseNames: Record<string, string> = {
  refused: "no public address",
  network: "no response",
  "network dns": "host name not found",
  "network refused": "connection refused",
  "network reset": "connection reset",
  "network closed": "connection closed",
  "network unreachable": "host not reachable",
  "network tls": "certificate not trusted",
  "network tls-expired": "certificate expired",
  "network tls-hostname": "certificate of another name",
  "network protocol": "no HTTP response",
  "too-large": "body too large",
  "too-large headers": "headers too large",
  "too-large values": "too many values",
  truncated: "body cut off",
  "bad-encoding": "broken encoding",
};

function responseOf({ outcome: { kind, status, detail }, notices, findings }: Observation): string {
  if (kind === "ok") {
    if (notices.body === "v2-shaped") return "200 in V2's shape";
    if (findings.some((finding) => finding.kind === "envelope")) return "200 with an error envelope";
    return notices.body === "stub-data" ? "200 with every score 0" : "200 with an empty list";
  }
  if (status !== undefined && ["status", "unauthorized", "redirect"].includes(kind)) return String(status);
  const name = `${kind} ${detail ?? ""}`.trim();
  if (kind !== "not-json") return responseNames[name] ?? responseNames[kind] ?? kind;
  return detail === "html" ? "HTML" : detail === "deep" ? "nested too deeply" : "no JSON";
}

function auditFailure(alert: Alert, facts: Facts, known: readonly Audited[]): string[] {
  const own = primaryOf(known, facts.endpoints);
  const inside = own.filter(({ at }) => at >= facts.firstBadAt && at <= facts.lastBadAt);
  const bad = inside.filter(({ quality }) => quality === "bad");
  const isAt = (at: string) => own.some((one) => one.at === at && one.quality === "bad");
  const lastGood = own.findLast(({ at, quality }) => at < facts.firstBadAt && quality === "good");
  const after = own.filter(({ at }) => at > facts.lastBadAt);
  const anonymous = known.filter(
    (one) =>
      one.variant === "anonymous" &&
      !one.isPrimary &&
      facts.endpoints.includes(one.endpoint) &&
      one.at >= facts.firstBadAt,
  );
  const isResolved = alert.event === "resolved";
  const responses = new Map<string, number>();
  for (const one of bad) responses.set(responseOf(one), (responses.get(responseOf(one)) ?? 0) + 1);
  const labels = new Set([...responses.keys(), ...Object.keys(facts.responses ?? {})]);
  const usage = own.filter(({ at }) => at >= facts.firstBadAt).map(({ notices }) => notices.usage);
  return [
    ...(isAt(facts.firstBadAt) ? [] : ["no bad check at firstBadAt"]),
    ...(isAt(facts.lastBadAt) ? [] : ["no bad check at lastBadAt"]),
    ...expectEqual("total", facts.total, inside.length),
    ...expectEqual("bad", facts.bad, bad.length),
    ...expectEqual("windowSeconds", facts.windowSeconds, secondsOf(facts.lastBadAt, facts.firstBadAt)),
    ...expectEqual("lastGoodBeforeAt", facts.lastGoodBeforeAt, lastGood?.at ?? null),
    ...[...labels].flatMap((label) =>
      expectEqual(`responses ${label}`, facts.responses?.[label], responses.get(label)),
    ),
    ...(bad.length > 0 ? expectEqual("lastResponse", facts.lastResponse, responseOf(bad.at(-1)!)) : []),
    ...(facts.usageCurrent === undefined || usage.some((one) => one?.current === facts.usageCurrent)
      ? []
      : [`no response said ${facts.usageCurrent} requests`]),
    ...(facts.usageLimit === undefined || usage.some((one) => one?.limit === facts.usageLimit)
      ? []
      : [`no response said a limit of ${facts.usageLimit}`]),
    ...(facts.samples === undefined ||
    facts.samples <= new Set(bad.flatMap(({ sample }) => sample ?? [])).size
      ? []
      : [`${facts.samples} samples are more than were requested`]),
    ...(facts.anonymousServed === undefined || isResolved
      ? []
      : [
          ...expectEqual(
            "anonymousServed",
            facts.anonymousServed,
            anonymous.filter((one) => one.quality === "good").length,
          ),
          ...expectEqual(
            "anonymousRefused",
            facts.anonymousRefused,
            anonymous.filter((one) => one.quality === "bad").length,
          ),
        ]),
    ...(isResolved
      ? [
          ...expectEqual("firstGoodAfterAt", facts.firstGoodAfterAt, after[0]?.at),
          ...after
            .filter(({ quality }) => quality === "bad")
            .map(({ at }) => `RESOLVED, and the check at ${at} is bad`),
          ...facts.endpoints
            .filter((endpoint) => own.findLast((one) => one.endpoint === endpoint)?.quality === "bad")
            .map((endpoint) => `RESOLVED while ${endpoint} is bad`),
        ]
      : []),
    ...(facts.scope === "api"
      ? expectEqual("endpoints of an API claim", facts.endpoints.length, endpointIds.length)
      : []),
  ];
}

/** The scheduled checks that a rate counts: without those inside an outage that was reported, or in the making. */
function rateChecks(known: readonly Audited[], before: readonly Alert[]): Audited[] {
  const latest = new Map<string, Alert>();
  for (const alert of before)
    if (failureRules.has(alert.rule) && alert.facts) latest.set(alert.id.split("/")[0]!, alert);
  const primary = primaryOf(known, endpointIds);
  const outages = [...latest.keys()].flatMap((id) => {
    const alerts = before.filter((one) => one.id.startsWith(`${id}/`) && one.facts);
    const from = alerts.map((one) => one.facts!.firstBadAt).toSorted()[0]!;
    const last = alerts.at(-1)!.facts!;
    const endpoints = endpointIds.filter((name) => alerts.some((one) => one.facts!.endpoints.includes(name)));
    const replacedAt = before.find(({ supersedes }) => supersedes?.includes(id))?.at;
    const endAt = last.firstGoodAfterAt ?? replacedAt ?? null;
    const parts = endpoints.map((endpoint) => {
      const own = primary.filter((one) => one.endpoint === endpoint && one.at >= from);
      // An endpoint that the incident was narrowed from is part of it until its change.
      const isLeft = last.endpoints.includes(endpoint);
      const changedAt = alerts.find(
        (one) => !one.facts!.endpoints.includes(endpoint) && one.event === "changed",
      )?.facts?.changedAt;
      return { endpoint, own, until: isLeft ? endAt : (changedAt ?? null) };
    });
    const counted = parts.map(({ own, until, endpoint }) => {
      const inside = own.filter(({ at }) => until === null || at < until);
      const total = inside.findLastIndex(({ quality }) => quality === "bad") + 1;
      return { endpoint, until, total, bad: inside.filter(({ quality }) => quality === "bad").length };
    });
    // Good checks between the bad ones, of the outage and of the endpoint: less than nine of ten are bad.
    const sum = (name: "bad" | "total") => counted.reduce((so, one) => so + one[name], 0);
    const isMixed = sum("bad") < 0.9 * sum("total");
    return counted.flatMap(({ endpoint, until, bad, total }) =>
      isMixed && bad < 0.9 * total ? [] : [{ endpoint, from, until }],
    );
  });
  const isInside = ({ endpoint, at }: Audited) =>
    outages.some(
      (one) => one.endpoint === endpoint && at >= one.from && (one.until === null || at < one.until),
    );
  const runs = new Map(
    endpointIds.map((endpoint) => {
      const own = primary.filter((one) => one.endpoint === endpoint);
      const run = own.slice(own.findLastIndex(({ quality }) => quality === "good") + 1);
      return [endpoint, run.length >= 3 ? run[0]!.at : "9"];
    }),
  );
  return primary.filter(
    (one) => one.reason === "scheduled" && one.at < runs.get(one.endpoint)! && !isInside(one),
  );
}

function auditRate(
  alert: Alert,
  facts: Facts,
  known: readonly Audited[],
  before: readonly Alert[],
): string[] {
  const scheduled = rateChecks(known, before);
  const countIn = (window: readonly Audited[]) => {
    const own = window.filter(({ endpoint }) => facts.endpoints.includes(endpoint));
    return { bad: own.filter(({ quality }) => quality === "bad").length, total: own.length };
  };
  const isSame = ({ bad, total }: { bad: number; total: number }) =>
    bad === facts.bad && total === facts.total;
  // Up to the last check that counts. A resolved rate has the numbers of the last time at which it was not under half
  // of its limit.
  const ends = scheduled.map(({ at }) => ms(at));
  const windows = (alert.event === "resolved" ? ends : ends.slice(-1)).map((end) => {
    const upTo = scheduled.filter(({ at }) => ms(at) <= end);
    return facts.limitShare === undefined
      ? upTo.slice(-36)
      : upTo.filter(({ at }) => ms(at) > end - facts.windowSeconds * 1_000);
  });
  const responses = Object.values(facts.responses ?? {}).reduce((sum, number) => sum + number, 0);
  const wrong = expectEqual("responses", responses, facts.bad);
  return windows.some((window) => isSame(countIn(window)))
    ? wrong
    : [
        `${facts.bad} of ${facts.total} scheduled checks, the observations say ${windows
          .slice(-1)
          .map((window) => JSON.stringify(countIn(window)))}`,
      ];
}

/** Every time of the day and every "N of M" of the sentences is one of the facts, or when the incident was announced. */
function auditText({ id, text }: Alert, facts: Facts, before: readonly Alert[]): string[] {
  const json = JSON.stringify(facts);
  const instants = [...json.matchAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g)].map(([instant]) => instant);
  const windowStart = new Date(ms(facts.lastBadAt) - facts.windowSeconds * 1_000).toISOString();
  const announced = before.find((one) => one.event === "opened" && one.id.split("/")[0] === id.split("/")[0]);
  const known = [...instants, windowStart, ...(announced ? [announced.at] : [])];
  const clocks = new Set(known.map((instant) => instant.slice(11, 16)));
  const sentences = text.split("\n\n")[0] ?? "";
  const times = [...sentences.matchAll(/\b(\d\d:\d\d)\b/g)].map(([, time]) => time!);
  const numbers = new Set([...json.matchAll(/:(\d+)[,}]/g)].map(([, number]) => Number(number)));
  const responses = Object.values(facts.responses ?? {});
  for (const count of [(facts.anonymousServed ?? 0) + (facts.anonymousRefused ?? 0), ...responses])
    numbers.add(count);
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
